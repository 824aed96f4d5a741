import { catalogue } from '../language/catalogue.ts';

/** Words of `BatchStatus`. */
export const statusWords = catalogue({
  queued: { en: 'Queued', id: 'Antre', ar: 'في الطابور' },
  processing: { en: 'Running', id: 'Berjalan', ar: 'قيد التنفيذ' },
  completed: { en: 'Completed', id: 'Selesai', ar: 'مكتمل' },
  cancelled: { en: 'Cancelled', id: 'Dibatalkan', ar: 'أُلغي' },
  failed: { en: 'Failed', id: 'Gagal', ar: 'فشل' },
});
