import {
  BulkCompleted,
  CancelBatch,
  ConnectionReady,
  GetBatch,
  ListBatches,
  ProfileDeleted,
  SendBulk,
} from '@messaging-gateway/contracts';
import {
  feature,
  LiveProgress,
  operation,
  publication,
  reaction,
  tells,
  type GoingOn,
  type ServiceTools,
} from '@messaging-gateway/service';
import type { OutboundSettings } from '../config.ts';
import { sendGate } from '../gate/feature.ts';
import { lanes } from '../lanes/feature.ts';
import { sending } from '../sending/feature.ts';
import { BatchRecords } from './batch-records.ts';
import { BatchRunner } from './batch-runner.ts';
import { batchStream } from './batch.ts';
import { batchesView, batchItemsView, batchProgressView, batchRestView, batchResultsView } from './batches-view.ts';
import { BulkSending } from './bulk-sending.ts';

const hour = 3_600_000;

/** Bulk sends: many messages, one after the other. Their tables came with those of schedules. */
export const batches = feature({
  name: 'batches',
  needs: { gate: sendGate, lanes, sending },
  streams: [batchStream],
  views: [batchesView, batchItemsView, batchProgressView, batchResultsView, batchRestView],
  tells: [
    tells(batchStream, {
      BatchEnded: ({ data: { batchId: id, total, sent, failed } }) => [
        publication(BulkCompleted, { id, total, sent, failed }),
      ],
    }),
  ],
  connect: (tools: ServiceTools<OutboundSettings>, { gate, lanes: { journal }, sending: { compose, unattended } }) => {
    const { ask, clock, log, settings, sql, store } = tools;
    const records = new BatchRecords(sql);
    const timeToLive = settings.queuedMessageTtlHours * hour;
    const moved = (batch: GoingOn): void => progress.moved(batch);
    const runner = new BatchRunner({ store, records, unattended, clock, log, timeToLive, random: Math.random, moved });
    const look = (): void => runner.job.wake();
    const progress = new LiveProgress({
      kind: 'bulk.progress',
      ask,
      clock,
      read: (ids) => records.progress(ids),
    });
    const bulk = new BulkSending({ store, clock, records, lanes: gate.records, compose, look });
    journal.on(['MessageSent', 'MessageFailed'], ({ data: { origin, messageId } }) => {
      if (origin === 'bulk') runner.settled(messageId);
    });
    return {
      rows: [
        operation(SendBulk, (input) => bulk.send(input)),
        operation(ListBatches, (input) => bulk.list(input)),
        operation(GetBatch, (input) => bulk.get(input)),
        operation(CancelBatch, (input) => bulk.cancel(input)),
      ],
      hears: [
        reaction(ConnectionReady, async (_, { profileId }) => {
          if (profileId !== undefined) await runner.connected(profileId);
        }),
        reaction(ProfileDeleted, ({ profileId }, { organizationId }) => runner.close(profileId, organizationId)),
      ],
      jobs: [runner.job, progress.job],
      history: [records.history(settings.sendHistoryRetentionDays)],
      personalData: {
        first: async ({ organizationId, wholeOrganization }) => {
          if (wholeOrganization) await runner.closeAll(organizationId);
        },
        sections: [
          {
            name: 'batches',
            ofOrganization: true,
            sql: exported,
            show: async (item) => {
              const { state } = await store.load(batchStream, String(item['id']));
              const { messages } = state.status === 'none' ? { messages: [] } : state.facts;
              return { ...item, messages: typeof messages === 'object' ? messages : [] };
            },
          },
        ],
      },
    };
  },
});

const exported = `
  SELECT batch_id::text AS key, jsonb_build_object('id', batch_id, 'profileId', profile_id, 'status', status,
         'createdAt', created_at, 'completedAt', completed_at) AS item
    FROM batches WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND batch_id::text > $3
   ORDER BY batch_id::text LIMIT $4`;
