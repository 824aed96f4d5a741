import { describe, expect, it } from '@jest/globals';
import type { Decider } from '@messaging-gateway/event-sourcing';
import { specification } from './specification.ts';

type Opened = { type: 'Opened'; data: { name: string; note?: string | undefined } };
class Refused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.name = 'Refused';
    this.code = code;
  }
}
const door: Decider<boolean, 'open' | 'check', Opened> = {
  initial: false,
  decide: (command, isOpen) => {
    if (isOpen) throw new Refused('CONFLICT');
    return command === 'open' ? [{ type: 'Opened', data: { name: 'front', note: undefined } }] : [];
  },
  evolve: () => true,
};
const opened: Opened = { type: 'Opened', data: { name: 'front' } };
const given = specification(door);

describe('a specification', () => {
  it('passes when the decider does what is told', () => {
    given().when('open').then(opened);
    given().when('check').thenNothing();
    given(opened).when('open').thenRefused('CONFLICT');
  });

  it('fails when it does something else', () => {
    expect(() => given().when('open').thenNothing()).toThrow();
    expect(() => given().when('check').then(opened)).toThrow();
    expect(() => given().when('open').thenRefused('CONFLICT')).toThrow();
    expect(() => given(opened).when('open').thenRefused('NOT_FOUND')).toThrow();
  });
});
