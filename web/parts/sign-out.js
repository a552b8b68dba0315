// Leaving: the server ends the visit, and nothing of it stays on the screen.

import { events, forgetVisit, post, unfollow } from '../lib/page.js';

export async function signOut() {
  unfollow();
  forgetVisit();
  await post('/v1/sign-out');
  events.dispatchEvent(new Event('signed-out'));
  location.assign('/ui/sign-in');
}
