import { catalogue } from '../language/catalogue.ts';

export const texts = catalogue({
  counts: {
    en: '{created} created, {updated} updated, {failed} failed',
    id: '{created} dibuat, {updated} diperbarui, {failed} gagal',
    ar: '{created} أُنشئت، {updated} حُدّثت، {failed} فشلت',
  },
  errors: { en: 'Errors', id: 'Kesalahan', ar: 'الأخطاء' },
  line: { en: 'Line', id: 'Baris', ar: 'السطر' },
  reason: { en: 'Reason', id: 'Alasan', ar: 'السبب' },
});
