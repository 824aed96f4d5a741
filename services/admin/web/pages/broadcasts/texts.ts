import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Broadcasts', id: 'Siaran', ar: 'البث الجماعي' },
  create: { en: 'Create broadcast', id: 'Buat siaran', ar: 'إنشاء بث' },
  submit: { en: 'Create', id: 'Buat', ar: 'إنشاء' },
  created: { en: 'Draft created.', id: 'Draf dibuat.', ar: 'أُنشئت المسودة.' },
  name: { en: 'Name', id: 'Nama', ar: 'الاسم' },
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
  message: { en: 'Message', id: 'Pesan', ar: 'الرسالة' },
  messageHint: {
    en: 'Filled for each recipient: {name}, {phone}, {fallback}.',
    id: 'Diisi untuk setiap penerima: {name}, {phone}, {fallback}.',
    ar: 'تُملأ لكل مستلم: {name} و{phone} و{fallback}.',
  },
  recipients: { en: 'Recipients', id: 'Penerima', ar: 'المستلمون' },
  all: { en: 'All contacts', id: 'Semua kontak', ar: 'كل جهات الاتصال' },
  byTags: { en: 'Contacts with a tag', id: 'Kontak dengan tag', ar: 'جهات بوسم' },
  tags: { en: 'Tags', id: 'Tag', ar: 'الوسوم' },
  tagsHint: {
    en: 'Separated by commas. Who has any of them gets it.',
    id: 'Dipisahkan koma. Yang memiliki salah satunya menerimanya.',
    ar: 'مفصولة بفواصل. يستلمها من له أيٌّ منها.',
  },
  delayMin: { en: 'Least delay (ms)', id: 'Jeda terkecil (ms)', ar: 'أقل مهلة (ملّي ثانية)' },
  delayMax: { en: 'Longest delay (ms)', id: 'Jeda terlama (ms)', ar: 'أطول مهلة (ملّي ثانية)' },
});
