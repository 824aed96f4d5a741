import type { FlowTrigger } from '@messaging-gateway/contracts';
import type { Compiled } from '../../answerers/compiled.ts';
import { keywordTrigger } from './keyword.ts';
import { Pattern } from './pattern.ts';

/** Trigger of a flow, ready to look at messages. One of the time is set off by none. */
export function compileTrigger(trigger: FlowTrigger): Compiled['trigger'] {
  switch (trigger.type) {
    case 'keyword':
      return keywordTrigger(trigger.value);
    case 'regex': {
      const pattern = patternOf(trigger.value);
      return ({ text }) => pattern?.match(text);
    }
    case 'new_contact':
      return ({ told }) => (told.firstEver === true ? { text: '', groups: [] } : undefined);
    case 'schedule':
      return () => undefined;
  }
}

/** One that this version of the engine does not take any more never matches: the other flows of the profile go on. */
function patternOf(source: string): Pattern | undefined {
  try {
    return new Pattern(source);
  } catch {
    return undefined;
  }
}
