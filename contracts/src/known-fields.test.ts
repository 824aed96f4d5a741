import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Type } from 'typebox';
import { check } from './check.ts';
import { DeliverMessage, ResolveCredential } from './internal/index.ts';
import { knownFields } from './known-fields.ts';
import { closed, nullable } from './shapes.ts';

const person = closed({ name: Type.String(), nick: Type.Optional(Type.String()) });
const schema = closed({
  people: Type.Array(person),
  owner: nullable(person),
  media: Type.Union([closed({ url: Type.String() }), closed({ key: Type.String() })]),
  content: Type.Union([
    closed({ type: Type.Literal('text'), text: Type.String() }),
    closed({ type: Type.Literal('poll'), text: Type.String(), options: Type.Array(Type.String()) }),
  ]),
  more: Type.Record(Type.String(), Type.Unknown()),
});
const value = {
  people: [{ name: 'Anna', nick: 'A' }, { name: 'Ben' }],
  owner: null,
  media: { key: 'k' },
  content: { type: 'poll', text: 'T', options: [] },
  more: { anything: 1 },
};

describe('a field that a newer sender has added', () => {
  it('is dropped wherever the schema is closed', () => {
    const newer = {
      ...value,
      people: [
        { name: 'Anna', nick: 'A', age: 7 },
        { name: 'Ben', address: { street: 1 } },
      ],
      media: { key: 'k', width: 7 },
      content: { ...value.content, end: 'never' },
      added: true,
    };
    expect(check(schema, newer, 'body')).not.toEqual([]);
    expect(knownFields(schema, newer)).toEqual(value);
    expect(knownFields(schema, { ...value, owner: { name: 'Anna', age: 7 } })).toEqual({
      ...value,
      owner: { name: 'Anna' },
    });
  });

  it('is all that is dropped', () => {
    expect(knownFields(schema, value)).toEqual(value);
    const wrong = { people: 'nobody', owner: [1], content: { type: 'unheard' } };
    expect(knownFields(schema, wrong)).toEqual(wrong);
  });

  it.each([DeliverMessage.body, ResolveCredential.body])('never fails, whatever comes', (contract) => {
    fc.assert(fc.property(fc.anything(), (anything) => void knownFields(contract, anything)));
  });
});
