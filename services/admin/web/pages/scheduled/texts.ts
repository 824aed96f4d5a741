import { catalogue } from '../../language/catalogue.ts';

export const statusWords = catalogue({
  pending: { en: 'Waiting', id: 'Menunggu', ar: 'بالانتظار' },
  sent: { en: 'Sent', id: 'Terkirim', ar: 'أُرسل' },
  failed: { en: 'Failed', id: 'Gagal', ar: 'فشل' },
  cancelled: { en: 'Cancelled', id: 'Dibatalkan', ar: 'أُلغي' },
});

export const texts = catalogue({
  title: { en: 'Scheduled', id: 'Terjadwal', ar: 'مجدولة' },
  create: { en: 'Schedule message', id: 'Jadwalkan pesan', ar: 'جدولة رسالة' },
  submit: { en: 'Schedule', id: 'Jadwalkan', ar: 'جدولة' },
  to: { en: 'Phone number', id: 'Nomor telepon', ar: 'رقم الهاتف' },
  toHint: {
    en: 'Digits with country code, or the full id of a group.',
    id: 'Angka dengan kode negara, atau id lengkap grup.',
    ar: 'أرقام مع رمز البلد، أو المعرّف الكامل لمجموعة.',
  },
  when: { en: 'Time', id: 'Waktu', ar: 'الوقت' },
  whenHint: {
    en: 'As your clock shows it. It goes out never early, and at once where it was missed.',
    id: 'Menurut jam Anda. Tidak pernah lebih awal, dan segera bila terlewat.',
    ar: 'حسب ساعتك. لا تخرج قبل وقتها أبداً، وتخرج فوراً إن فاتها.',
  },
  scheduled: { en: 'Scheduled for {when}.', id: 'Dijadwalkan untuk {when}.', ar: 'جُدولت إلى {when}.' },
  recipient: { en: 'Recipient', id: 'Penerima', ar: 'المستلم' },
  late: { en: 'Late', id: 'Terlambat', ar: 'متأخر' },
  allStates: { en: 'All states', id: 'Semua status', ar: 'كل الحالات' },
  editText: {
    en: 'The message is scheduled anew with this, then the one before is cancelled.',
    id: 'Pesan dijadwalkan ulang dengan ini, lalu yang sebelumnya dibatalkan.',
    ar: 'تُجدول الرسالة من جديد بهذا، ثم تُلغى السابقة.',
  },
  both: {
    en: 'The new message is scheduled, but the one before could not be cancelled. It stays in the list; cancel one of them.',
    id: 'Pesan baru terjadwal, tetapi yang sebelumnya tidak dapat dibatalkan. Tetap ada di daftar; batalkan salah satunya.',
    ar: 'جُدولت الرسالة الجديدة لكن تعذّر إلغاء السابقة. تبقى في القائمة؛ ألغِ إحداهما.',
  },
  cancel: { en: 'Cancel message', id: 'Batalkan pesan', ar: 'إلغاء الرسالة' },
  cancelText: {
    en: 'It is not sent, and stays in the list as cancelled.',
    id: 'Tidak dikirim, dan tetap di daftar sebagai dibatalkan.',
    ar: 'لا تُرسل، وتبقى في القائمة ملغاة.',
  },
  cancelled: { en: 'Cancelled.', id: 'Dibatalkan.', ar: 'أُلغيت.' },
  empty: { en: 'No scheduled messages yet', id: 'Belum ada pesan terjadwal', ar: 'لا رسائل مجدولة بعد' },
  emptyText: {
    en: 'A message that goes out at its time, also when nobody is here then.',
    id: 'Pesan yang keluar pada waktunya, juga saat tidak ada siapa pun.',
    ar: 'رسالة تخرج في وقتها، وإن لم يكن أحد هنا.',
  },
  none: { en: 'No scheduled messages like that', id: 'Tidak ada pesan seperti itu', ar: 'لا رسائل كهذه' },
});
