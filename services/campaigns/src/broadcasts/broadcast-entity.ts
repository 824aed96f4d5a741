import type { EntityOrder } from '@messaging-gateway/service/entities';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A broadcast as it is listed. What its runner needs beside that, it reads itself. */
export const BroadcastEntity = defineEntity({
  name: 'BroadcastEntity',
  tableName: 'broadcasts',
  properties: {
    broadcastId: p.uuid().primary(),
    organizationId: p.uuid(),
    profileId: p.uuid(),
    name: p.text(),
    status: p.text(),
    createdAt: p.datetime(),
  },
});

/** The order of lists of broadcasts. */
export const whenMade: readonly EntityOrder<InferEntity<typeof BroadcastEntity>>[] = [
  { property: 'createdAt', kind: 'time' },
  { property: 'broadcastId', kind: 'id' },
];
