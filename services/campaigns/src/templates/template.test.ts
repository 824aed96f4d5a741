import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { template, type TemplateCommand, type TemplateDocument, type TemplateEvent } from './template.ts';

const given = specification(template);
const templateId = '0198c0de-0000-7000-8000-00000000000a';
const organizationId = '0198c0de-0000-7000-8000-000000000001';
const profileId = '0198c0de-0000-7000-8000-000000000002';
const at = '2026-01-01T10:00:00.000Z';
const by = { organizationId };
const limited = { organizationId, profileIds: [profileId] };
const stranger = { organizationId: '0198c0de-0000-7000-8000-0000000000ff' };

const document: TemplateDocument = {
  profileId: null,
  name: 'Welcome',
  category: 'utility',
  messageType: 'text',
  content: { text: 'Hello {{name}}' },
};
const ofProfile: TemplateDocument = { ...document, profileId };
const created = (of = document): TemplateEvent => ({
  type: 'TemplateCreated',
  data: { ...of, templateId, organizationId, at },
});
const deleted: TemplateEvent = { type: 'TemplateDeleted', data: { templateId, formerName: 'Welcome', at } };
const create: TemplateCommand = { type: 'Create', templateId, by, document, at };
const change = (changes: Partial<TemplateDocument>, who: TemplateCommand['by'] = by): TemplateCommand => ({
  type: 'Change',
  templateId,
  by: who,
  changes,
  at,
});
const remove = (who: TemplateCommand['by'] = by): TemplateCommand => ({ type: 'Delete', templateId, by: who, at });

describe('a template', () => {
  it('is made once under one id', () => {
    given().when(create).then(created());
    given(created()).when(create).thenNothing();
    given(created(), deleted).when(create).thenRefused('CONFLICT');
  });

  it('has a content that its type takes', () => {
    const poll = { ...document, messageType: 'poll' } as const;
    given()
      .when({ ...create, document: poll })
      .thenRefused('VALIDATION_ERROR');
    given(created())
      .when(change({ messageType: 'poll' }))
      .thenRefused('VALIDATION_ERROR');
    given(created())
      .when(change({ content: { question: 'Which?' } }))
      .thenRefused('VALIDATION_ERROR');
  });

  it('changes in what is given, and says how it was called', () => {
    const data = { ...document, name: 'Hello', templateId, formerName: 'Welcome', at };
    given(created())
      .when(change({ name: 'Hello' }))
      .then({ type: 'TemplateChanged', data });
    given(created())
      .when(change({ name: 'Welcome' }))
      .thenNothing();
    given(created()).when(change({})).thenNothing();
  });

  it('is gone when it was deleted', () => {
    given(created()).when(remove()).then(deleted);
    given(created(), deleted).when(remove()).thenRefused('NOT_FOUND');
    given(created(), deleted)
      .when(change({ name: 'x' }))
      .thenRefused('NOT_FOUND');
    given().when(remove()).thenRefused('NOT_FOUND');
  });

  it('is not there for other organizations', () => {
    given(created()).when(remove(stranger)).thenRefused('NOT_FOUND');
    given(created())
      .when(change({ name: 'x' }, stranger))
      .thenRefused('NOT_FOUND');
  });

  it('that all profiles may use is not changed by a key that is limited to some', () => {
    given()
      .when({ ...create, by: limited })
      .thenRefused('FORBIDDEN');
    given(created()).when(remove(limited)).thenRefused('FORBIDDEN');
    given(created())
      .when(change({ name: 'x' }, limited))
      .thenRefused('FORBIDDEN');
    given(created()).when(change({ profileId }, limited)).thenRefused('FORBIDDEN');
    given(created(ofProfile))
      .when(change({ profileId: null }, limited))
      .thenRefused('FORBIDDEN');
  });

  it('of a profile belongs to the keys of that profile', () => {
    given()
      .when({ ...create, by: limited, document: ofProfile })
      .then(created(ofProfile));
    given(created(ofProfile)).when(remove(limited)).then(deleted);
    const other = { organizationId, profileIds: ['0198c0de-0000-7000-8000-000000000003'] };
    given(created(ofProfile)).when(remove(other)).thenRefused('FORBIDDEN');
  });
});
