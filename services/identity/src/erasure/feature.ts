import { feature } from '@messaging-gateway/service';
import { erasuresMigration } from './0020-erasures.migration.ts';
import { ErasureRow, erasureStream, erasuresView } from './erasure.ts';

/** Erasures of users who have gone, as far as they have come. */
export const erasures = feature({
  name: 'erasures',
  streams: [erasureStream],
  views: [erasuresView],
  migrations: [erasuresMigration],
  entities: [ErasureRow],
});
