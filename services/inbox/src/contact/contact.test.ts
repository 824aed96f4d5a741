import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { contact, type ContactEvent, type ContactState } from './contact.ts';

const given = specification(contact);
const contactId = 'c1';
const identity = { contactId, profileId: 'p1', phone: '4915112345678' };
const { contactId: _contactId, ...who } = identity;
const ada: ContactState = { ...who, tags: [], metadata: {}, blocked: false };
const saved = (
  state: Partial<ContactState>,
  change: 'created' | 'updated' = 'updated',
  silent = false,
): ContactEvent => ({
  type: 'ContactSaved',
  data: { contactId, ...ada, ...state, change, silent },
});
const made = saved({}, 'created');
const save = (fields: object) => ({ type: 'Save', identity, given: fields }) as const;
const meet = (pushName: string | undefined, silent = false) => ({ type: 'Meet', identity, pushName, silent }) as const;

const hears = (id: string) => ({ ...meet(undefined), hears: id });
const heard = (firstHeard: string, event: ContactEvent): ContactEvent =>
  ({ ...event, data: { ...event.data, firstHeard } }) as ContactEvent;
const deleted: ContactEvent = { type: 'ContactDeleted', data: { contactId, profileId: 'p1' } };

describe('the first message of a person', () => {
  it('is noted with the stranger', () => given().when(hears('m1')).then(heard('m1', made)));
  it('is noted once', () => given(heard('m1', made)).when(hears('m2')).thenNothing());
  it('is not known of who was kept before, until it is looked for; that is told to nobody', () => {
    given(made).when(hears('m1')).thenNothing();
    given(made)
      .when({ ...hears('m2'), firstHeard: 'm1' })
      .then(heard('m1', saved({}, 'updated', true)));
  });
  it('outlives the contact, and what others change of it', () => {
    given(heard('m1', made), saved({ name: 'Ada' }), deleted)
      .when(hears('m2'))
      .then(made);
    given(heard('m1', made), deleted, made).when(hears('m2')).thenNothing();
  });
  it('is not known of who was deleted before it was noted', () => given(made, deleted).when(hears('m2')).then(made));
});

describe('a contact', () => {
  it('is made once', () =>
    given()
      .when(save({ name: 'Ada' }))
      .then(saved({ name: 'Ada' }, 'created')));
  it('is not made where there are as many as may be, but changed', () => {
    const full = { ...save({ name: 'Ada' }), full: 7 };
    given().when(full).thenRefused('QUOTA_REACHED');
    given(made)
      .when(full)
      .then(saved({ name: 'Ada' }));
  });
  it('takes what is given when it is there, and joins tags', () =>
    given(saved({ name: 'Ada', tags: ['a'] }, 'created'))
      .when(save({ metadata: { city: 'Berlin' }, tags: ['b', 'a'] }))
      .then(saved({ name: 'Ada', tags: ['a', 'b'], metadata: { city: 'Berlin' } })));
  it('is not changed by what it is already', () => given(made).when(save({})).thenNothing());
  it('has its tags replaced by a change', () =>
    given(saved({ tags: ['a', 'b'] }, 'created'))
      .when({ type: 'Change', contactId, given: { tags: ['c', 'c'] } })
      .then(saved({ tags: ['c'] })));
  it('has no tag twice', () =>
    given(saved({ tags: ['a'] }, 'created'))
      .when({ type: 'AddTags', contactId, tags: ['a'] })
      .thenNothing());
  it('has tags taken off', () =>
    given(saved({ tags: ['a', 'b'] }, 'created'))
      .when({ type: 'RemoveTags', contactId, tags: ['a', 'x'] })
      .then(saved({ tags: ['b'] })));
  it('has a bounded number of tags', () =>
    given(saved({ tags: Array.from({ length: 100 }, (_, index) => `t${index}`) }, 'created'))
      .when(save({ tags: ['one more'] }))
      .thenRefused('VALIDATION_ERROR'));
  it('is made by a message, with the name that the person goes by', () =>
    given()
      .when(meet('Ada'))
      .then(saved({ pushName: 'Ada' }, 'created')));
  it('keeps the name of a message over that of history', () =>
    given(saved({ pushName: 'Ada' }, 'created'))
      .when(meet('Old', true))
      .thenNothing());
  it('follows the name of a new message', () =>
    given(saved({ pushName: 'Ada' }, 'created'))
      .when(meet('Ada L.'))
      .then(saved({ pushName: 'Ada L.' })));
  it('goes on under the phone with what was kept under the LID', () =>
    given(saved({ tags: ['a'] }, 'created'))
      .when({ ...meet('Ada'), before: { ...ada, name: 'Grace', tags: ['b'] } })
      .then(saved({ name: 'Grace', pushName: 'Ada', tags: ['a', 'b'] })));
  it('cannot be changed once it is deleted', () =>
    given(made, { type: 'ContactDeleted', data: { contactId, profileId: 'p1' } })
      .when({ type: 'AddTags', contactId, tags: ['a'] })
      .thenRefused('NOT_FOUND'));
  it('is made anew after it was deleted', () =>
    given(saved({ tags: ['a'] }, 'created'), { type: 'ContactDeleted', data: { contactId, profileId: 'p1' } })
      .when(save({}))
      .then(made));
});
