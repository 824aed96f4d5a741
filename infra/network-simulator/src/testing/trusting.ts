import { Agent as HttpsAgent } from 'node:https';
import { DEF_MEDIA_HOST, type UserFacingSocketConfig } from '@whiskeysockets/baileys';
import { Agent, Dispatcher1Wrapper } from 'undici';

/**
 * Options that make the client library trust the simulator's media host: uploads go through node:https, downloads through
 * the fetch that comes with Node.js, which takes an npm undici's agent only when it is wrapped.
 *
 * @param mediaHost where to fetch what the library looks for on the real network's host: history
 */
export function trusting(ca: string, mediaHost = DEF_MEDIA_HOST): Partial<UserFacingSocketConfig> {
  const agent = new Agent({ connect: { ca } }).compose((dispatch) => (request, handler) => {
    const isForReal = request.origin?.toString() === `https://${DEF_MEDIA_HOST}`;
    return dispatch(isForReal ? { ...request, origin: `https://${mediaHost}` } : request, handler);
  });
  return {
    fetchAgent: new HttpsAgent({ ca }),
    options: { dispatcher: new Dispatcher1Wrapper(agent) } as unknown as RequestInit,
  };
}
