import type { Start as StartSchema } from '@messaging-gateway/contracts';
import { Router } from 'express';
import type { Static } from 'typebox';
import { writeJson } from '../http/routes.ts';
import { publicUrlOf } from '../request/request-state.ts';

type Start = Static<typeof StartSchema>;

const places = {
  api: '/api/v1',
  documentation: '/api/docs',
  openapi: '/api/docs-json',
  asyncapi: '/api/asyncapi.json',
  health: '/api/v1/health',
  ready: '/api/v1/health/ready',
  register: '/api/v1/auth/register',
} as const satisfies Start['links'];

/** The start page of the API, with links. @param base before each link: a URL without a slash at its end, or nothing */
export const startOf = (base: string, version: string): Start => ({
  name: 'Messaging Gateway',
  version,
  links: Object.fromEntries(Object.entries(places).map(([name, place]) => [name, base + place])) as Start['links'],
});

/** `/`: links to what there is; for browsers, where no web UI has been built, a page that says how to begin. */
export function startPage(settings: { readonly publicUrl: string | undefined }, version: string): Router {
  const router = Router({ caseSensitive: true });
  router.get('/', (request, response) => {
    const start = startOf(publicUrlOf(settings, request), version);
    response.vary('Accept');
    if (request.accepts(['json', 'html']) === 'html') response.type('html').send(page(start));
    else writeJson(response, 200, JSON.stringify(start));
  });
  return router;
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);

function page({ version, links }: Start): string {
  const link = (place: string, words: string): string => `<a href="${escaped(place)}">${words}</a>`;
  const api = escaped(links.api);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Messaging Gateway</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
code, pre { font-size: 0.9em; overflow-wrap: anywhere; white-space: pre-wrap }
</style>
<h1>Messaging Gateway</h1>
<p>Version ${escaped(version)}. The API is at <code>${api}</code>.</p>
<ul>
<li>${link(links.documentation, 'Interactive documentation')}: every route, to be tried out</li>
<li>${link(links.openapi, 'OpenAPI document')}, ${link(links.asyncapi, 'AsyncAPI document')} of events and webhooks</li>
<li>${link(links.health, 'Alive?')} ${link(links.ready, 'Ready?')}</li>
</ul>
<p>The web UI is not built here: <code>npm start</code> builds it, as do the images.</p>
<h2>How to begin</h2>
<ol>
<li>Register: <pre>curl ${escaped(links.register)} -H 'content-type: application/json' \\
  -d '{"email":"ada@example.com","password":"correct horse battery","name":"Ada"}'</pre>
The <code>accessToken</code> in the answer goes into the header <code>authorization: Bearer …</code> of all that follows.</li>
<li>Create a profile, which is one phone number: <code>POST ${api}/profiles</code> with <code>{"name":"Sales"}</code></li>
<li>Connect it: <code>POST ${api}/profiles/&lt;id&gt;/connect</code></li>
<li>Show the QR code, and scan it on the phone under “linked devices”:
<pre>curl '${api}/profiles/&lt;id&gt;/qr?wait=30' -H 'accept: text/plain' -H 'authorization: Bearer …'</pre></li>
<li>Wait until it is connected: <code>GET ${api}/profiles/&lt;id&gt;/status?wait=60&amp;until=connected</code></li>
<li>Send: <code>POST ${api}/messages/text</code> with <code>{"profileId":"…","to":"4915112345678","text":"Hello"}</code></li>
</ol>
</html>
`;
}
