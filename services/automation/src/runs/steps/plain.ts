import type { StepType } from '../../step.ts';

/** `{ type: 'delay', ms }`: what follows waits, over restarts too. */
export const delayStep: StepType = {
  type: 'delay',
  carryOut: async ({ ms }, { attempt, now }) =>
    attempt === 0 ? { status: 'wait', until: now + Number(ms) } : { status: 'done' },
};

/** `{ type: 'stop' }`: nothing of the run follows. */
export const stopStep: StepType = { type: 'stop', carryOut: async () => ({ status: 'end' }) };
