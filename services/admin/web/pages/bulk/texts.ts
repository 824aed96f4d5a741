import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Bulk', id: 'Massal', ar: 'إرسال جماعي' },
  create: { en: 'New bulk send', id: 'Kiriman massal baru', ar: 'إرسال جماعي جديد' },
  send: { en: 'Send', id: 'Kirim', ar: 'إرسال' },
  rows: { en: 'Rows', id: 'Baris', ar: 'الصفوف' },
  rowsHint: {
    en: 'The first line names the columns, {phone} among them; commas, semicolons or tabs separate. 1,000 rows at most.',
    id: 'Baris pertama menamai kolom, di antaranya {phone}; dipisah koma, titik koma, atau tab. Paling banyak 1.000 baris.',
    ar: 'يسمّي السطر الأول الأعمدة، ومنها {phone}؛ وتفصل بينها فواصل أو فواصل منقوطة أو علامات جدولة. 1000 صف على الأكثر.',
  },
  file: { en: 'CSV file', id: 'Berkas CSV', ar: 'ملف CSV' },
  counted: {
    en: { one: '{count} row', other: '{count} rows' },
    id: { other: '{count} baris' },
    ar: {
      zero: 'لا صفوف',
      one: 'صف واحد',
      two: 'صفان',
      few: '{count} صفوف',
      many: '{count} صفاً',
      other: '{count} صف',
    },
  },
  tooMany: {
    en: 'These are more than 1,000. Send them in several parts.',
    id: 'Lebih dari 1.000. Kirim dalam beberapa bagian.',
    ar: 'هذه أكثر من 1000. أرسلها على أجزاء.',
  },
  noPhone: {
    en: 'There is no column {phone}.',
    id: 'Tidak ada kolom {phone}.',
    ar: 'لا يوجد عمود {phone}.',
  },
  noTable: {
    en: 'This is no table: {reason}',
    id: 'Ini bukan tabel: {reason}',
    ar: 'هذا ليس جدولاً: {reason}',
  },
  faultyRow: { en: 'Row {row}:', id: 'Baris {row}:', ar: 'الصف {row}:' },
  columns: {
    en: 'Columns to write into it: {names}',
    id: 'Kolom yang dapat ditulis di dalamnya: {names}',
    ar: 'أعمدة تُكتب فيه: {names}',
  },
  preview: { en: 'Preview of the first row', id: 'Pratinjau baris pertama', ar: 'معاينة الصف الأول' },
  missing: {
    en: 'No column fills {names}.',
    id: 'Tidak ada kolom untuk {names}.',
    ar: 'لا عمود يملأ {names}.',
  },
  delay: { en: 'Delay between messages (ms)', id: 'Jeda antarpesan (ms)', ar: 'المهلة بين الرسائل (ملّي ثانية)' },
  randomize: {
    en: 'Up to two seconds more, by chance',
    id: 'Hingga dua detik lebih, secara acak',
    ar: 'ثانيتان إضافيتان على الأكثر عشوائياً',
  },
  stopOnError: {
    en: 'Stop at the first message that fails',
    id: 'Berhenti pada pesan pertama yang gagal',
    ar: 'التوقف عند أول رسالة تفشل',
  },
  accepted: {
    en: 'Accepted. The last one goes out about {when}.',
    id: 'Diterima. Yang terakhir keluar sekitar {when}.',
    ar: 'قُبل. تخرج الأخيرة نحو {when}.',
  },
  progress: { en: 'Progress', id: 'Kemajuan', ar: 'التقدم' },
  ofTotal: { en: '{sent} of {total}', id: '{sent} dari {total}', ar: '{sent} من {total}' },
  made: { en: 'Started', id: 'Dimulai', ar: 'بدأ' },
  allStates: { en: 'All states', id: 'Semua status', ar: 'كل الحالات' },
  empty: { en: 'No bulk sends yet', id: 'Belum ada kiriman massal', ar: 'لا إرسال جماعي بعد' },
  emptyText: {
    en: 'One message for each row of a table, with its own words in it.',
    id: 'Satu pesan untuk setiap baris tabel, dengan kata-katanya sendiri.',
    ar: 'رسالة لكل صف من جدول، بكلماته.',
  },
  none: { en: 'No bulk sends like that', id: 'Tidak ada kiriman massal seperti itu', ar: 'لا إرسال جماعي كهذا' },
});
