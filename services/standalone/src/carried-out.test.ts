import { expect, it } from '@jest/globals';
import { operations } from '@messaging-gateway/contracts';
import { auditedRequests } from '@messaging-gateway/service';
import { storages } from './services.ts';

it('services know the stream of requests that they write down: whoever reads their journals can', () => {
  const writing = operations.flatMap(({ owner, audit }) =>
    typeof audit === 'object' && audit.carriedOut === true ? [owner] : [],
  );
  const knowing = Object.entries(storages).flatMap(([name, { streams }]) =>
    streams.some((stream) => stream.name === auditedRequests.name) ? [name] : [],
  );
  expect(knowing.toSorted()).toEqual([...new Set<string>(writing)].toSorted());
});
