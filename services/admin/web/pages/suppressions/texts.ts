import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Opt-outs', id: 'Berhenti langganan', ar: 'الرافضون' },
  text: {
    en: 'Whoever is here gets nothing that is sent to many, whatever profile sends it.',
    id: 'Siapa pun di sini tidak menerima kiriman massal, dari profil mana pun.',
    ar: 'من هنا لا يصله شيء مما يُرسل إلى كثيرين، أياً كان الملف المرسِل.',
  },
  words: { en: 'By which words people leave', id: 'Kata untuk berhenti', ar: 'الكلمات التي يغادر بها الناس' },
  add: { en: 'Add phone', id: 'Tambah nomor', ar: 'إضافة رقم' },
  addIt: { en: 'Add', id: 'Tambah', ar: 'إضافة' },
  added: { en: 'Added.', id: 'Ditambahkan.', ar: 'أُضيف.' },
  search: { en: 'Search opt-outs', id: 'Cari', ar: 'البحث في الرافضين' },
  phone: { en: 'Phone', id: 'Telepon', ar: 'الهاتف' },
  hidden: { en: 'Not known', id: 'Tidak diketahui', ar: 'غير معروف' },
  reason: { en: 'Reason', id: 'Alasan', ar: 'السبب' },
  reasonOptional: { en: 'Reason (optional)', id: 'Alasan (opsional)', ar: 'السبب (اختياري)' },
  since: { en: 'Since', id: 'Sejak', ar: 'منذ' },
  takeOff: { en: 'Take off the list', id: 'Keluarkan dari daftar', ar: 'إخراج من القائمة' },
  takeOffText: {
    en: 'Broadcasts may go to this person again.',
    id: 'Siaran boleh dikirim lagi ke orang ini.',
    ar: 'يجوز أن يصل البث إلى هذا الشخص مجدداً.',
  },
  export: { en: 'Export CSV', id: 'Ekspor CSV', ar: 'تصدير CSV' },
  import: { en: 'Import CSV', id: 'Impor CSV', ar: 'استيراد CSV' },
  importIt: { en: 'Import', id: 'Impor', ar: 'استيراد' },
  file: { en: 'CSV file', id: 'Berkas CSV', ar: 'ملف CSV' },
  fileHint: {
    en: 'The first line names the columns: phone, and if wanted reason.',
    id: 'Baris pertama menamai kolom: phone, dan bila perlu reason.',
    ar: 'السطر الأول يسمّي الأعمدة: phone، وعند الحاجة reason.',
  },
  empty: { en: 'No opt-outs yet', id: 'Belum ada', ar: 'لا رافضين بعد' },
  emptyText: {
    en: 'Whoever writes a word such as STOP comes here by itself.',
    id: 'Siapa pun yang menulis kata seperti STOP masuk ke sini sendiri.',
    ar: 'من يكتب كلمة مثل STOP يأتي إلى هنا تلقائياً.',
  },
  emptyFound: { en: 'No opt-outs found', id: 'Tidak ditemukan', ar: 'لم يُعثر على شيء' },
  emptyFoundText: { en: 'Search for less.', id: 'Kurangi pencarian.', ar: 'ابحث بأقل.' },
});
