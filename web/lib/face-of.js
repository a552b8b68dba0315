// A face is shown small, so it is kept small.

const FACE = 160;

/** The middle of a picture, small, as a data: URL; nothing if it can't be drawn. */
export async function faceOf(file) {
  try {
    const drawn = await createImageBitmap(file);
    const side = Math.min(drawn.width, drawn.height);
    const canvas = new OffscreenCanvas(FACE, FACE);
    // Portraits have their face above the middle.
    const top = drawn.height > drawn.width ? Math.min(drawn.height - side, drawn.height * 0.06) : 0;
    canvas.getContext('2d').drawImage(drawn, (drawn.width - side) / 2, top, side, side, 0, 0, FACE, FACE);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.82 })).arrayBuffer());
    return `data:image/jpeg;base64,${btoa(String.fromCharCode(...bytes))}`;
  } catch {
    return undefined;
  }
}
