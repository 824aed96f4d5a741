import { Agent as HttpsAgent } from 'node:https';
import type { UserFacingSocketConfig } from '@whiskeysockets/baileys';
import { Agent, Dispatcher1Wrapper } from 'undici';

/**
 * What makes the client library trust the simulator's media host: uploads go through node:https, downloads through
 * the fetch that comes with Node.js, which takes an npm undici's agent only when it is wrapped.
 */
export function trusting(ca: string): Partial<UserFacingSocketConfig> {
  const dispatcher = new Dispatcher1Wrapper(new Agent({ connect: { ca } }));
  return { fetchAgent: new HttpsAgent({ ca }), options: { dispatcher } as unknown as RequestInit };
}
