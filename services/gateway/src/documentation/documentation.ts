import { createHash } from 'node:crypto';
import { readAsyncApi, readOpenApi } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { Router, type RequestHandler } from 'express';
import swaggerUi from 'swagger-ui-express';
import { compressing } from '../http/compressing.ts';

const options = {
  swaggerUrl: '/api/docs-json',
  customSiteTitle: 'Messaging Gateway API',
  swaggerOptions: {
    /** A reload keeps who is logged in, in this browser. */
    persistAuthorization: true,
    /** The box that finds groups of routes. */
    filter: true,
    /** Groups with what they are for; routes of one that is opened. */
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    showExtensions: true,
  },
};

/**
 * The interactive documentation at `/docs`, its document at `/docs-json`, and that of events at `/asyncapi.json`.
 * All are 404 until the API has finished starting. They are the same for everybody, and compressed.
 */
export function documentation(hasStarted: () => Promise<boolean>): Router {
  const router = Router({ caseSensitive: true });
  // The page names its files relative to `/docs/`; so they are also found from `/docs`.
  const page = swaggerUi.generateHTML(undefined, options).replaceAll('"./', '"/api/docs/');
  const whenStarted: RequestHandler = async (_request, _response, next) => {
    if (!(await hasStarted())) throw new Refused('NOT_FOUND', 'The API has not finished starting.');
    next();
  };
  const found = [whenStarted, compressing()];
  router.get('/docs-json', found, sending('json', JSON.stringify(readOpenApi())));
  router.get('/asyncapi.json', found, sending('json', JSON.stringify(readAsyncApi())));
  router.get('/docs', found, sending('html', page));
  router.use('/docs', found, ...swaggerUi.serve);
  return router;
}

/** Sends a text, with an `ETag` of its content: who has it already is answered 304. */
function sending(type: string, text: string): RequestHandler {
  // Weak: compressed and as it is, it has the same one.
  const tag = `W/"${createHash('sha256').update(text).digest('base64url')}"`;
  return (request, response) => {
    response.type(type).setHeader('ETag', tag).setHeader('Cache-Control', 'no-cache');
    if (request.fresh) response.status(304).end();
    else response.send(text);
  };
}
