import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Webhooks', id: 'Webhook', ar: 'خطافات الويب' },
  state: { en: 'State', id: 'Keadaan', ar: 'الحالة' },
  actions: { en: 'Actions', id: 'Tindakan', ar: 'إجراءات' },
  delete: { en: 'Delete', id: 'Hapus', ar: 'حذف' },
  empty: { en: 'No webhooks yet', id: 'Belum ada webhook', ar: 'لا خطافات ويب بعد' },
  emptyText: {
    en: 'What happens is posted to your own server, signed, and again until it was taken.',
    id: 'Yang terjadi dikirim ke server Anda sendiri, bertanda tangan, diulang sampai diterima.',
    ar: 'يُرسل ما يحدث إلى خادمك موقّعاً، ويُعاد حتى يُستلم.',
  },
});
