import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  name: { en: 'Name', id: 'Nama', ar: 'الاسم' },
  title: { en: 'Broadcasts', id: 'Siaran', ar: 'البث الجماعي' },
  create: { en: 'Create broadcast', id: 'Buat siaran', ar: 'إنشاء بث' },
  submit: { en: 'Create', id: 'Buat', ar: 'إنشاء' },
  created: { en: 'Draft created.', id: 'Draf dibuat.', ar: 'أُنشئت المسودة.' },
  status: { en: 'Status', id: 'Status', ar: 'الحالة' },
  sent: { en: 'Sent', id: 'Terkirim', ar: 'أُرسل' },
  failed: { en: 'Failed', id: 'Gagal', ar: 'فشل' },
  ofTotal: { en: '{sent} of {total}', id: '{sent} dari {total}', ar: '{sent} من {total}' },
  made: { en: 'Created', id: 'Dibuat', ar: 'أُنشئ' },
  search: { en: 'Search broadcasts', id: 'Cari siaran', ar: 'البحث في البث' },
  empty: { en: 'No broadcasts yet', id: 'Belum ada siaran', ar: 'لا بث بعد' },
  emptyText: {
    en: 'A broadcast sends one message to many contacts, one after the other. Nothing goes out before you start it.',
    id: 'Siaran mengirim satu pesan ke banyak kontak, satu per satu. Tidak ada yang terkirim sebelum Anda memulainya.',
    ar: 'يرسل البث رسالة واحدة إلى جهات كثيرة، واحدة بعد أخرى. لا يُرسل شيء قبل أن تبدأه.',
  },
});
