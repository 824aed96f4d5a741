import type { RunRecords } from '../run-records.ts';
import type { StepType } from '../../step.ts';

/** Name of the action. */
export const gather = 'gather';

/**
 * `{ type: 'gather', ms }`: waits whether the same person writes more. When somebody did, this run ends, and the later one answers for
 * both: what they wrote meanwhile goes along with it (`said-before.ts`).
 */
export const gatherStep = (records: RunRecords): StepType => ({
  type: gather,
  carryOut: async ({ ms }, context) => {
    if (context.attempt === 0) return { status: 'wait', until: context.now + Number(ms) };
    return (await records.hasLater(context)) ? { status: 'superseded' } : { status: 'done' };
  },
});
