// The agents that came lately, and the command that connects each client.

import { currentPersona, distance, get, hint, html, icon, may, muted, t, table, View } from '../lib/page.js';
import { copy } from './copy.js';

const CLIENTS = { 'claude-code': 'Claude Code', 'claude-desktop': 'Claude', cursor: 'Cursor', vscode: 'VS Code', codex: 'Codex' };
const AT_HOME = ['localhost', '127.0.0.1', '[::1]'];

class Agents extends View {
  begin() {
    this.className = 'stack agents';
    this.load();
  }

  async load() {
    const agents = may('admin') ? (await get('/v1/agents').catch(() => null))?.agents : null;
    this.draw([agents ? seen(agents) : null, commands(currentPersona()?.name)]);
  }
}

function seen(agents) {
  if (!agents.length) return hint('agents.none', 'small');
  return table(t('agents.seen'), [t('agents.client'), t('agents.persona'), t('agents.way'), t('agents.last')], agents.map((agent) => [html`<b class="break">${agent.name}</b> ${muted(agent.version ?? '', 'small break')}`, html`<span class="break">${agent.persona}</span>`, agent.key ? html`<code>${agent.key}</code>` : t(`agents.${agent.transport}`), distance(agent.lastSeenAt)]));
}

/** At the machine itself a client starts the program; from elsewhere it asks this server. */
function commands(persona) {
  if (!persona) return null;
  const isHere = AT_HOME.includes(location.hostname);
  const where = isHere ? `--persona ${persona}` : `--url ${location.origin}/mcp/${persona}`;
  const offered = Object.entries(CLIENTS).filter(([client]) => isHere || client !== 'claude-desktop');
  return html`<p class="small">${t(isHere ? 'agents.here' : 'agents.elsewhere')}</p>
    <ul class="plain stack">${offered.map(([client, name]) => command(name, `selfhood mcp install --client ${client} ${where}`))}</ul>`;
}

function command(name, line) {
  return html`<li class="to-copy"><span class="label">${name}</span><pre tabindex="0" role="region" aria-label=${t('agents.command', { name })}>${line}</pre><button class="small" aria-label=${t('agents.copy', { name })} @click=${(event) => copy(line, event.target.closest('.to-copy').querySelector('pre'))}>${icon('copy')}${t('common.copy')}</button></li>`;
}

customElements.define('sh-agents', Agents);
