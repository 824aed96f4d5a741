import { readOpenApi } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { Router, type RequestHandler } from 'express';
import swaggerUi from 'swagger-ui-express';
import { writeJson } from '../http/json-answer.ts';

/**
 * The interactive documentation at `/docs` and its document at `/docs-json`.
 * Both are 404 until the API has finished starting (specification §1, addresses).
 */
export function documentation(hasStarted: () => Promise<boolean>): Router {
  const router = Router({ caseSensitive: true });
  const document = JSON.stringify(readOpenApi());
  const whenStarted: RequestHandler = async (_request, _response, next) => {
    if (!(await hasStarted())) throw new Refused('NOT_FOUND', 'The API has not finished starting.');
    next();
  };
  const page = swaggerUi.setup(undefined, { swaggerOptions: { url: '/api/docs-json', persistAuthorization: false }, customSiteTitle: 'Messaging Gateway API' });
  router.get('/docs-json', whenStarted, (_request, response) => writeJson(response, 200, document));
  router.use('/docs', whenStarted, ...swaggerUi.serve, page);
  return router;
}
