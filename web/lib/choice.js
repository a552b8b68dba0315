// The reader's own choices. They stay in this browser, and hold nothing of anybody's memories.

export function choice(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`selfhood.${name}`)) ?? fallback;
  } catch {
    return fallback;
  }
}

export function choose(name, value) {
  try {
    localStorage.setItem(`selfhood.${name}`, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}
