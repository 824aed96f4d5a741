import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { handover, type HandoverCommand, type HandoverEvent } from './handover.ts';

const given = specification(handover);
const which = {
  conversationId: '0198c0de-0000-7000-8000-000000000001',
  profileId: '0198c0de-0000-7000-8000-000000000002',
  aliases: [],
};
const at = (time: string): string => `2026-01-01T${time}.000Z`;
const until = (time: string): HandoverEvent => ({ type: 'HandedOver', data: { ...which, until: at(time) } });
const wrote = (noticedAt: string, end: string): HandoverCommand => ({
  type: 'NotePhone',
  ...which,
  noticedAt: at(noticedAt),
  until: at(end),
});
const asked = (end: string, exactly = false): HandoverCommand => ({
  type: 'HandOver',
  ...which,
  until: at(end),
  exactly,
});
const resume = (time: string): HandoverCommand => ({ type: 'Resume', ...which, at: at(time) });
const resumed = (time: string): HandoverEvent => ({ type: 'Resumed', data: { ...which, at: at(time) } });

describe('a chat', () => {
  it('is silenced by what is written on the phone, longer with each message', () => {
    given().when(wrote('10:00:00', '11:00:00')).then(until('11:00:00'));
    given(until('11:00:00')).when(wrote('10:30:00', '11:30:00')).then(until('11:30:00'));
  });
  it('is silenced once by one message', () =>
    given(until('11:00:00')).when(wrote('10:00:00', '11:00:00')).thenNothing());
  it('is not silenced for a shorter time by the phone, nor by who names no time', () => {
    given(until('18:00:00')).when(wrote('10:00:00', '11:00:00')).thenNothing();
    given(until('18:00:00')).when(asked('11:00:00')).thenNothing();
  });
  it('is silenced exactly as long as somebody says', () => {
    given(until('18:00:00')).when(asked('11:00:00', true)).then(until('11:00:00'));
    given(until('11:00:00')).when(asked('11:00:00', true)).thenNothing();
  });
  it('is given back once', () => {
    given(until('11:00:00')).when(resume('10:30:00')).then(resumed('10:30:00'));
    given(until('11:00:00'), resumed('10:30:00')).when(resume('10:31:00')).thenNothing();
    given(until('11:00:00')).when(resume('11:00:00')).thenNothing();
    given().when(resume('10:30:00')).thenNothing();
  });
  it('is not silenced by what was written before it was given back, however late that comes', () => {
    given(until('11:00:00'), resumed('10:30:00')).when(wrote('10:29:59', '11:29:59')).thenNothing();
    given(until('11:00:00'), resumed('10:30:00')).when(wrote('10:30:00', '11:30:00')).then(until('11:30:00'));
    given(until('11:00:00'), resumed('10:30:00')).when(asked('11:00:00')).then(until('11:00:00'));
  });
});
