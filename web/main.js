// The beginning: words, theme, who is here, and then the shell takes over.

import { loadTexts } from './lib/text.js';
import { applyTheme } from './lib/theme.js';
import { startRouter } from './lib/router.js';

applyTheme();
await loadTexts();
await import('./parts/shell.js');
startRouter();
