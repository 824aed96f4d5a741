import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed } from '../../shapes.ts';

export const ListAuditActions = operation({
  name: 'ListAuditActions',
  compressed: true,
  owner: 'insights',
  method: 'GET',
  path: '/audit/actions',
  access: 'audit:read',
  tag: 'Audit',
  summary: 'Audit action catalog',
  means: 'Every action that an entry can name.',
  answers: {
    200: {
      body: closed({
        items: Type.Array(closed({ key: Type.String(), category: Type.String(), description: Type.String() })),
      }),
      means: 'The actions in the order of their keys.',
      example: { items: [{ key: 'profile.create', category: 'profile', description: 'Create a profile' }] },
    },
  },
});
