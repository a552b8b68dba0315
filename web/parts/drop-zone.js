// A place to drop a file, with a button for those who would rather choose one.

import { html, icon } from '../lib/page.js';

export function dropZone({ id, label, hint, accept, take }) {
  const over = (event) => (event.preventDefault(), event.currentTarget.classList.add('over'));
  const out = (event) => event.currentTarget.classList.remove('over');
  const drop = (event) => (event.preventDefault(), out(event), event.dataTransfer.files[0] && take(event.dataTransfer.files[0]));
  const chosen = (event) => event.target.files[0] && take(event.target.files[0]);
  return html`<div class="drop row" @dragover=${over} @dragleave=${out} @drop=${drop}><input type="file" id=${id} class="unseen" accept=${accept} @change=${chosen} /><label class="button small" for=${id}>${icon('files')}${label}</label><span class="small quiet grow" role="status">${hint}</span></div>`;
}

export const base64 = (file) => new Promise((done, failed) => {
  const reader = Object.assign(new FileReader(), { onload: () => done(reader.result.slice(reader.result.indexOf(',') + 1)), onerror: () => failed(reader.error) });
  reader.readAsDataURL(file);
});
