// The frame around every screen.

import { allowed, button, choose, currentPersona, events, failed, follow, get, go, html, icon, loadState, muted, OF_ALL, OF_PERSONA, personaNamed, Refused, router, row, state, t, tellRefusal, to, unfollow, View, whereAmI } from '../lib/page.js';
import { startShortcuts } from '../lib/shortcuts.js';
import './palette.js';
import { signOut } from './sign-out.js';

const QUICK = ['chat', 'memories', 'timeline'];
const FOUND_ON = { memory: 'memories', import: 'memories', person: 'people' };
const BARE = ['sign-in', 'welcome'];

export class Shell extends View {
  begin() {
    this.draw(frame());
    this.listen(router, 'moved', (event) => this.show(event.detail.by));
    this.listen(events, 'signed-out', () => this.signedOut());
    startShortcuts((shortcut) => go(this.address(shortcut.to)), () => this.find('sh-palette').open());
    this.listen(document, 'focusin', ({ target }) => caretTo(target));
    // Otherwise a dropped file would make the browser leave the page; words may be dropped into any field.
    this.listen(window, 'dragover', (event) => hasFile(event) && event.preventDefault());
    this.listen(window, 'drop', (event) => this.dropped(event));
    this.show('start');
  }

  async show(by) {
    const route = whereAmI();
    this.route = route;
    // It is fetched while the server says who is here.
    const loading = route.screen !== 'home' && moduleOf(route.screen);
    if (route.screen !== 'sign-in' && !state.me && !(await this.enter())) return;
    if (route.screen === 'home') return go(this.home(), { replace: true });
    if (route.names.persona && !personaNamed(route.names.persona)) {
      // It may have been made elsewhere since.
      await this.enter();
      if (!personaNamed(route.names.persona)) route.screen = 'lost';
    }
    if (route.names.persona && route.screen !== 'lost') choose('persona', route.names.persona);
    this.classList.toggle('bare', BARE.includes(route.screen));
    this.drawRail();
    const main = this.find('main');
    const shown = main.firstElementChild;
    if (shown?.screen === route.screen && shown.route.path === route.path && shown.update) {
      shown.route = route;
      return shown.update(route);
    }
    const { Screen, refused } = await (route.screen === 'lost' ? moduleOf('lost') : loading);
    if (this.route !== route) return;
    // A module that failed to load is not asked for again, so the page is loaded again once the server answers.
    if (refused) return main.replaceChildren(failed('warn', refused, () => get('/v1/me').then(() => location.reload(), tellRefusal)));
    if (!customElements.get(`sh-${route.screen}`)) customElements.define(`sh-${route.screen}`, Screen);
    const screen = Object.assign(new Screen(), { route, screen: route.screen, className: 'screen', persona: route.names.persona });
    main.replaceChildren(screen);
    document.title = `${t(`nav.${route.screen}`)} · Selfhood`;
    if (screen.arrive?.()) return;
    if (by !== 'start' && by !== 'replace') settle(main);
  }

  async enter() {
    try {
      await loadState();
      follow();
      return true;
    } catch (refused) {
      if (refused.status !== 401) this.find('main').replaceChildren(failed('warn', refused, () => this.show('start')));
      return false;
    }
  }

  dropped(event) {
    if (event.defaultPrevented || !hasFile(event)) return;
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    const screen = this.find('main').firstElementChild;
    if (!file || !state.me) return;
    if (screen.take) return screen.take(file);
    state.dropped = file;
    go(this.address('import'));
  }

  signedOut() {
    const ended = state.me ? '&ended=1' : '';
    state.me = null;
    unfollow();
    if (this.route.screen !== 'sign-in') go(`/ui/sign-in?next=${encodeURIComponent(location.pathname + location.search)}${ended}`, { replace: true });
  }

  home() {
    return state.personas.length ? this.address('chat') : '/ui/welcome';
  }

  address(screen) {
    if (screen !== 'import' && !OF_PERSONA.includes(screen)) return `/ui/${screen}`;
    const persona = personaNamed(this.route?.names.persona) ?? currentPersona();
    return persona ? to(persona.name, screen) : '/ui/welcome';
  }

  drawRail() {
    const rail = this.find('.rail');
    const thumb = this.find('.thumb');
    rail.hidden = thumb.hidden = BARE.includes(this.route.screen);
    rail.classList.remove('open');
    if (rail.hidden || !state.me) return;
    rail.replaceChildren(railContent(this));
    thumb.replaceChildren(
      ...QUICK.map((name) => link(this, name)),
      html`<button aria-expanded="false" class=${!QUICK.includes(FOUND_ON[this.route.screen] ?? this.route.screen) && 'here'} @click=${(event) => event.currentTarget.setAttribute('aria-expanded', rail.classList.toggle('open'))}>${icon('more')}${t('nav.more')}</button>`,
    );
  }
}

const moduleOf = (screen) => import(`../screens/${screen}.js`).catch(() => ({ refused: new Refused(0, { code: 'unreachable' }) }));

/** A dialog that closes gives back the focus, but not always the caret: what is typed then would go nowhere. */
function caretTo(field) {
  if (Number.isInteger(field.selectionStart) && !field.parentNode.contains(getSelection().anchorNode)) field.setSelectionRange(field.selectionStart, field.selectionEnd);
}

const frame = () => html`
  <a class="skip" href="#main" @click=${(event) => (event.preventDefault(), document.getElementById('main').focus())}>${t('nav.skip')}</a>
  <aside class="rail" aria-label=${t('nav.rail')} hidden></aside>
  <main id="main" tabindex="-1"><p class="starting">Selfhood</p></main>
  <nav class="thumb" aria-label=${t('nav.quick')} hidden></nav>
  <sh-palette></sh-palette>
  <sh-toasts></sh-toasts>`;

const railContent = (shell) => html`
  <a class="mark" href="/ui"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M6 8c8 0 7 15 20 15.5" /><circle cx="6.5" cy="8" r="2.6" /></svg>Selfhood</a>
  <div class="who">
    <label class="unseen" for="persona">${t('nav.persona')}</label>
    <select id="persona" .value=${shell.route.names.persona ?? currentPersona()?.name ?? ''} @change=${(event) => choosePersona(shell, event.target.value)}>
      ${state.personas.map((persona) => html`<option value=${persona.name}>${[persona.emoji, persona.displayName].filter(Boolean).join(' ')}</option>`)}
    </select>
  </div>
  <nav aria-label=${t('nav.main')}>
    ${OF_PERSONA.filter(allowed).map((name) => link(shell, name))}
    <h2>${t('nav.house')}</h2>
    ${OF_ALL.filter(allowed).map((name) => link(shell, name))}
  </nav>
  <footer>
    <button class="bare small" @click=${() => shell.querySelector('sh-palette').open()}>${icon('search')}${t('nav.palette')} <kbd>${/Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}</kbd></button>
    ${row(state.me.tenant !== 'default' && muted(state.me.tenant, 'small grow break'), button('nav.signOut', signOut, 'bare small', 'out'))}
  </footer>`;

const hasFile = ({ dataTransfer }) => dataTransfer.types.includes('Files');

function choosePersona(shell, name) {
  choose('persona', name);
  // Both say something of the persona that is chosen.
  if (['settings', 'help'].includes(shell.route.screen)) return shell.show();
  const screen = [shell.route.screen, FOUND_ON[shell.route.screen], 'chat'].find((name) => OF_PERSONA.includes(name));
  go(to(name, screen));
}

function link(shell, name) {
  const here = (FOUND_ON[shell.route.screen] ?? shell.route.screen) === name;
  return html`<a href=${shell.address(name)} aria-current=${here ? 'page' : null}>${icon(name)}${t(`nav.${name}`)}</a>`;
}

/** Starts at the top, with the focus on the heading for screen readers. */
function settle(main) {
  scrollTo(0, 0);
  const heading = main.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}
