// The beginning: colours, words and signs, and then the shell takes over.

import { loadSigns } from './lib/icon.js';
import { startRouter } from './lib/router.js';
import { loadTexts } from './lib/text.js';
import { applyTheme } from './lib/theme.js';
import { Shell } from './parts/shell.js';

applyTheme();
await Promise.all([loadTexts(), loadSigns()]);
customElements.define('sh-shell', Shell);
startRouter();
