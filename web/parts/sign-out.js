// Leaving: the server ends the visit, and nothing of it stays on the screen.

import { events, post } from '../lib/api.js';
import { unfollow } from '../lib/live.js';
import { forgetVisit } from '../lib/state.js';

export async function signOut() {
  unfollow();
  forgetVisit();
  await post('/v1/sign-out');
  events.dispatchEvent(new Event('signed-out'));
  location.assign('/ui/sign-in');
}
