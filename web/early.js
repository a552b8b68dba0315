// Before anything is painted: the colours that were chosen, so that no night begins white.

try {
  document.documentElement.dataset.theme = JSON.parse(localStorage.getItem('selfhood.theme')) ?? 'system';
} catch {
  // A browser that keeps nothing shows the colours of the system.
}
