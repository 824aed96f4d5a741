import { catalogue } from '../language/catalogue.ts';

/** Words of `BroadcastStatus`. */
export const statusWords = catalogue({
  draft: { en: 'Draft', id: 'Draf', ar: 'مسودة' },
  scheduled: { en: 'Scheduled', id: 'Terjadwal', ar: 'مجدول' },
  running: { en: 'Running', id: 'Berjalan', ar: 'قيد الإرسال' },
  paused: { en: 'Paused', id: 'Dijeda', ar: 'متوقف مؤقتاً' },
  completed: { en: 'Completed', id: 'Selesai', ar: 'مكتمل' },
  cancelled: { en: 'Cancelled', id: 'Dibatalkan', ar: 'ملغى' },
  failed: { en: 'Failed', id: 'Gagal', ar: 'فشل' },
});
