// The reader's own choices. They stay in this browser, and hold nothing of anybody's memories.

/** What `act` gives; nothing in a browser that keeps nothing, where a draft lives as long as its screen. */
export function stored(act) {
  try {
    return act() ?? null;
  } catch {
    return null;
  }
}

export const choice = (name, fallback) => stored(() => JSON.parse(localStorage.getItem(`selfhood.${name}`))) ?? fallback;
export const choose = (name, value) => stored(() => localStorage.setItem(`selfhood.${name}`, JSON.stringify(value)));
