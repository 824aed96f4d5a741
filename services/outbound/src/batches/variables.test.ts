import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { filled, missing } from './variables.ts';

describe('variables of a bulk message', () => {
  it('fill the placeholders of its texts', () => {
    expect(filled({ text: 'Hello {name}, {name}! {x}' }, { name: 'Ada' })).toEqual({ text: 'Hello Ada, Ada! {x}' });
    expect(filled({ question: '{q}?', options: ['{a}', 'b'], allowMultiple: true }, { q: 'Q', a: 'A' })).toEqual({
      question: 'Q?',
      options: ['A', 'b'],
      allowMultiple: true,
    });
    expect(filled({ url: 'http://host/{name}', caption: '{name}' }, { name: 'Ada' })).toEqual({
      url: 'http://host/{name}',
      caption: 'Ada',
    });
  });
  it('are texts and nothing more: neither filled again nor taken from anywhere else', () => {
    expect(filled({ text: '{a} {b}' }, { a: '{b}', b: '$&' })).toEqual({ text: '{b} $&' });
    expect(filled({ text: '{constructor} {__proto__}' }, {})).toEqual({ text: '{constructor} {__proto__}' });
    expect(filled({ text: '{a}' }, undefined)).toEqual({ text: '{a}' });
  });
  it('are missed where a name stands in braces, and there is nothing of that name', () => {
    const poll = { question: 'Lunch, {name}?', options: ['a', '{dish.main}'] };
    expect(missing(poll, { name: 'Ada' })).toEqual({ name: 'dish.main', field: 'options[1]' });
    expect(missing(poll)).toEqual({ name: 'name', field: 'question' });
    expect(missing({ text: '{constructor}' }, {})).toEqual({ name: 'constructor', field: 'text' });
    expect(missing({ text: '{x}' }, { x: '{y}' })).toBeUndefined();
    expect(missing({ text: '{ "a": 1 } {} {1}', url: 'http://host/{name}' }, {})).toBeUndefined();
  });
  it('leave a text without placeholders as it is', () => {
    const plain = fc.string().filter((text) => !/\{[^{}]+\}/.test(text));
    fc.assert(
      fc.property(plain, fc.dictionary(fc.string(), fc.string()), (text, variables) => {
        expect(filled({ text }, variables)).toEqual({ text });
      }),
    );
  });
});
