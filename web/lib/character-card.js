// A character card (V1, V2 or V3, as JSON or inside a PNG) as what a new persona starts from. It is read in the
// browser and fills in a form; nothing of it is kept before its reader has seen it and made the persona.

const LARGEST = 16 * 1024 * 1024;
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
// The newer one first: a card may carry both.
const CHUNKS = ['ccv3', 'chara'];

// A face is shown small, so it is kept small.
const FACE = 160;

/** { name, description, manner, greeting, picture? } of the card in `file`, or null if there is none in it. */
export async function readCard(file) {
  if (file.size > LARGEST) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    const isPicture = PNG.every((byte, n) => bytes[n] === byte);
    const card = told(JSON.parse(isPicture ? hidden(bytes) : utf8(bytes)));
    return card && { ...card, picture: isPicture ? await faceOf(file) : undefined };
  } catch {
    return null;
  }
}

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

function told(card) {
  const { name, description, personality, scenario, first_mes: greeting } = card.data ?? card;
  if (typeof name !== 'string' || !name.trim()) return null;
  const words = (text) => (typeof text === 'string' ? text : '').replace(/\{\{char\}\}|<BOT>/gi, name.trim()).replace(/\{\{user\}\}|<USER>/gi, 'the user').trim();
  return { name: name.trim(), description: words(description), greeting: words(greeting), manner: [words(personality), words(scenario)].filter(Boolean).join('\n\n') };
}

/** The JSON that a PNG carries as text. */
function hidden(bytes) {
  const view = new DataView(bytes.buffer);
  const found = {};
  for (let at = PNG.length; at + 12 <= bytes.length; ) {
    const long = view.getUint32(at);
    const content = bytes.subarray(at + 8, at + 8 + long);
    if (latin(bytes.subarray(at + 4, at + 8)) === 'tEXt') {
      const end = content.indexOf(0);
      found[latin(content.subarray(0, end))] = content.subarray(end + 1);
    }
    at += 12 + long;
  }
  const carried = CHUNKS.map((name) => found[name]).find(Boolean);
  return utf8(Uint8Array.from(atob(latin(carried)), (letter) => letter.charCodeAt(0)));
}

const utf8 = (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
const latin = (bytes) => new TextDecoder('latin1').decode(bytes);
