import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Import contacts', id: 'Impor kontak', ar: 'استيراد جهات الاتصال' },
  above: { en: 'Contacts', id: 'Kontak', ar: 'جهات الاتصال' },
  file: { en: 'CSV file', id: 'Berkas CSV', ar: 'ملف CSV' },
  fileHint: {
    en: 'UTF-8. The first line names the columns: phone, and if wanted name, tags (separated by semicolons), metadata (JSON). Empty cells change nothing.',
    id: 'UTF-8. Baris pertama menamai kolom: phone, dan bila perlu name, tags (dipisahkan titik koma), metadata (JSON). Sel kosong tidak mengubah apa pun.',
    ar: 'UTF-8. السطر الأول يسمّي الأعمدة: phone، وعند الحاجة name وtags (تفصل بينها فواصل منقوطة) وmetadata (JSON). الخلايا الفارغة لا تغيّر شيئاً.',
  },
  noFile: { en: 'Choose a file first.', id: 'Pilih berkas dahulu.', ar: 'اختر ملفاً أولاً.' },
  into: {
    en: 'Without a profile they belong to the whole organization.',
    id: 'Tanpa profil, kontak menjadi milik seluruh organisasi.',
    ar: 'من دون ملف شخصي تكون للمؤسسة كلها.',
  },
  submit: { en: 'Import', id: 'Impor', ar: 'استيراد' },
  cancel: { en: 'Cancel', id: 'Batal', ar: 'إلغاء' },
  resume: { en: 'Resume', id: 'Lanjutkan', ar: 'متابعة' },
  stopping: {
    en: 'What is under way is being finished.',
    id: 'Bagian yang sedang berjalan diselesaikan dahulu.',
    ar: 'يجري إنهاء ما هو قيد التنفيذ.',
  },
  done: { en: 'The import is done.', id: 'Impor selesai.', ar: 'انتهى الاستيراد.' },
  cancelled: {
    en: 'The import was cancelled. What was imported before stays.',
    id: 'Impor dibatalkan. Yang sudah diimpor tetap ada.',
    ar: 'أُلغي الاستيراد. يبقى ما استُورد قبل ذلك.',
  },
});
