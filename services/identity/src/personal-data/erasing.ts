import { personalDataHolders } from '@messaging-gateway/contracts';
import { every, everyOrganization, type PeriodicJob } from '@messaging-gateway/service';
import { ownersOf } from '../organization/member-rules.ts';
import { organizationStream } from '../organization/organization.ts';
import type { IdentityTools } from '../tools.ts';
import { ErasureRow, erasureStream, type ErasureOf } from '../erasure/erasure.ts';
import { eraseOwn } from './own-data.ts';

/** Profiles are unlinked on the network meanwhile. */
const stepMs = 60_000;

/** First what sends and receives, so that nothing new is told to the others. */
const steps = [
  ...personalDataHolders.filter(({ sends }) => sends),
  ...personalDataHolders.filter(({ sends }) => !sends),
].map(({ erase }) => erase);

/** Carries out erasures, one after the other, until each service has erased what it holds. */
export const erasing = (tools: IdentityTools): PeriodicJob =>
  every('5s', 'erasures', async (signal) => {
    const { clock, log } = tools;
    const isDue = { dueAt: { $lte: new Date(clock.now()) } };
    const due = await tools
      .em()
      .find(ErasureRow, isDue, { orderBy: { dueAt: 'asc' }, limit: 100, ...everyOrganization });
    for (const { userId, organizationId, wholeOrganization, times } of due) {
      if (signal.aborted) return;
      await carryOut(tools, { userId, organizationId, wholeOrganization }, times + 1).catch((error: Error) =>
        log.warn('An erasure goes on later', { userId, reason: error.message }),
      );
    }
  });

/** Two replicas may do it at the same time: each step can be repeated. */
async function carryOut(tools: IdentityTools, of: ErasureOf, times: number): Promise<void> {
  // First, so that nothing is erased that a restored backup could bring back unnoticed.
  if (times === 1) await log(tools, of);
  for (const step of steps) await tools.ask(step, of, { deadline: tools.clock.now() + stepMs });
  await eraseOwn(tools, of);
  const metadata = { organizationId: of.organizationId, subject: `user:${of.userId}`, actor: 'service:identity' };
  await tools.store.handle(erasureStream, of.userId, { type: 'NoteCarriedOut', times }, { metadata });
}

async function log({ erasureLog, store, clock }: IdentityTools, of: ErasureOf): Promise<void> {
  const { state } = await store.load(organizationStream, of.organizationId);
  const owners = state.status === 'founded' ? ownersOf(state) : [];
  const at = new Date(clock.now()).toISOString();
  await erasureLog?.add({ ...of, ...(owners.length > 0 && { owners }), at });
}
