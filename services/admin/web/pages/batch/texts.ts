import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  above: { en: 'Bulk', id: 'Massal', ar: 'إرسال جماعي' },
  title: { en: 'Bulk send of {when}', id: 'Kiriman massal {when}', ar: 'إرسال جماعي في {when}' },
  state: { en: 'State', id: 'Status', ar: 'الحالة' },
  progress: { en: 'Progress', id: 'Kemajuan', ar: 'التقدم' },
  cancel: { en: 'Cancel batch', id: 'Batalkan kiriman', ar: 'إلغاء الإرسال' },
  cancelText: {
    en: 'What has not gone out stays unsent. A message that is on its way still arrives.',
    id: 'Yang belum keluar tidak dikirim. Pesan yang sedang dalam perjalanan tetap sampai.',
    ar: 'ما لم يخرج يبقى دون إرسال. وتصل رسالة في طريقها.',
  },
  cancelled: { en: 'Cancelled.', id: 'Dibatalkan.', ar: 'أُلغي.' },
  why: { en: 'It stopped: {code}', id: 'Berhenti: {code}', ar: 'توقف: {code}' },
  dailyLimit: {
    en: 'The profile had sent as much as its daily limit allows; what was left is cancelled.',
    id: 'Profil sudah mengirim sebanyak batas hariannya; sisanya dibatalkan.',
    ar: 'أرسل الملف كل ما يسمح به حدّه اليومي؛ أُلغي ما بقي.',
  },
  ended: { en: 'Ended {when}', id: 'Berakhir {when}', ar: 'انتهى {when}' },
  results: { en: 'Results', id: 'Hasil', ar: 'النتائج' },
  row: { en: 'Row', id: 'Baris', ar: 'الصف' },
  chat: { en: 'Recipient', id: 'Penerima', ar: 'المستلم' },
});
