import { readAsyncApi, readOpenApi } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { Router, type RequestHandler } from 'express';
import swaggerUi from 'swagger-ui-express';
import { writeJson } from '../http/answering.ts';

const options = { swaggerUrl: '/api/docs-json', customSiteTitle: 'Messaging Gateway API' };

/**
 * The interactive documentation at `/docs`, its document at `/docs-json`, and that of events at `/asyncapi.json`.
 * All are 404 until the API has finished starting.
 */
export function documentation(hasStarted: () => Promise<boolean>): Router {
  const router = Router({ caseSensitive: true });
  const document = JSON.stringify(readOpenApi());
  const events = JSON.stringify(readAsyncApi());
  // The page names its files relative to `/docs/`; so they are also found from `/docs`.
  const page = swaggerUi.generateHTML(undefined, options).replaceAll('"./', '"/api/docs/');
  const whenStarted: RequestHandler = async (_request, _response, next) => {
    if (!(await hasStarted())) throw new Refused('NOT_FOUND', 'The API has not finished starting.');
    next();
  };
  router.get('/docs-json', whenStarted, (_request, response) => writeJson(response, 200, document));
  router.get('/asyncapi.json', whenStarted, (_request, response) => writeJson(response, 200, events));
  router.get('/docs', whenStarted, (_request, response) => void response.type('html').send(page));
  router.use('/docs', whenStarted, ...swaggerUi.serve);
  return router;
}
