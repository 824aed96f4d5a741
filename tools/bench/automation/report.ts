import type { Answering } from './answering.ts';
import type { Looking } from './looking.ts';

export interface AutomationResults {
  readonly at: string;
  readonly node: string;
  readonly looking: Looking;
  readonly answering: readonly Answering[];
}

const line = (what: string, is: string, aim: string): string => `${what.padEnd(64)}${is.padStart(14)}   ${aim}`;
const ms = (value: number): string => `${value < 1 ? value.toFixed(4) : value.toFixed(1)} ms`;

/** Figures beside what is aimed at, as text. */
export function automationTable({ looking, answering }: AutomationResults): string {
  const { withoutFlows, hundredFlows, worstPatternsMs } = looking;
  return [
    line('', 'is', 'aimed at'),
    line('CPU per inbound message, nothing answers for the profile', ms(withoutFlows.cpuMs), 'below 0.1 ms'),
    line('  statements for all of them', String(withoutFlows.statements), 'none'),
    line('CPU per inbound message, 100 flows that do not match', ms(hundredFlows.cpuMs), 'below 1 ms'),
    line('  statements for all of them', String(hundredFlows.statements), 'none'),
    line('20 worst-case patterns, 65,536 characters, the worst text', ms(worstPatternsMs), 'below 250 ms'),
    ...answering.flatMap(({ perSecond, messages, p50, p99, cpuMsEach, postgresCpuMsEach }) => [
      line(`stanza in to answer out, ${perSecond}/s, ${messages} messages: p50`, ms(p50), 'below 60 ms'),
      line('  p99', ms(p99), 'below 250 ms'),
      line('  CPU per message and its answer', ms(cpuMsEach), ''),
      line('  of it PostgreSQL', ms(postgresCpuMsEach), ''),
    ]),
  ].join('\n');
}
