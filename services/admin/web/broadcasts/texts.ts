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

export const fieldTexts = catalogue({
  name: { en: 'Name', id: 'Nama', ar: 'الاسم' },
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
  from: { en: 'Message from', id: 'Pesan dari', ar: 'الرسالة من' },
  own: { en: 'A text', id: 'Teks', ar: 'نص' },
  template: { en: 'Template', id: 'Templat', ar: 'قالب' },
  kept: { en: 'As it is', id: 'Tetap', ar: 'كما هي' },
  contacts: { en: 'As they are', id: 'Tetap', ar: 'كما هم' },
  quietFrom: { en: 'Quiet from (optional)', id: 'Tenang dari (opsional)', ar: 'هدوء من (اختياري)' },
  quietTo: { en: 'Quiet to', id: 'Tenang sampai', ar: 'هدوء إلى' },
  quietHint: {
    en: 'By the clock of each recipient. Nobody is written to then; both empty: always.',
    id: 'Menurut jam tiap penerima. Tidak ada yang dikirimi saat itu; keduanya kosong: selalu.',
    ar: 'بساعة كل مستلم. لا يُكتب لأحد حينها؛ كلاهما فارغ: دائماً.',
  },
});
