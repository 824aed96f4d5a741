import { catalogue } from '../language/catalogue.ts';

/** States of messages, as `MessageStatus` has them. */
export const stateWords = catalogue({
  sending: { en: 'Sending', id: 'Mengirim', ar: 'جارٍ الإرسال' },
  queued: { en: 'Queued', id: 'Antre', ar: 'في الانتظار' },
  sent: { en: 'Sent', id: 'Terkirim', ar: 'أُرسلت' },
  delivered: { en: 'Delivered', id: 'Sampai', ar: 'وصلت' },
  read: { en: 'Read', id: 'Dibaca', ar: 'قُرئت' },
  played: { en: 'Played', id: 'Diputar', ar: 'شُغّلت' },
  failed: { en: 'Failed', id: 'Gagal', ar: 'فشلت' },
  received: { en: 'Received', id: 'Diterima', ar: 'واردة' },
  deleted: { en: 'Deleted', id: 'Dihapus', ar: 'محذوفة' },
  unknown: { en: 'Outcome unknown', id: 'Hasil tidak diketahui', ar: 'النتيجة غير معروفة' },
});

/** Why a message failed, by the code of its error; others are told in the server's words. */
export const failureWords = catalogue({
  RECIPIENT_UNKNOWN: {
    en: 'This number is not on WhatsApp.',
    id: 'Nomor ini tidak ada di WhatsApp.',
    ar: 'هذا الرقم ليس على واتساب.',
  },
  PROFILE_NOT_CONNECTED: {
    en: 'The profile has no connection. Connect it, then try again.',
    id: 'Profil tidak terhubung. Hubungkan, lalu coba lagi.',
    ar: 'الملف غير متصل. صِله ثم حاول مجدداً.',
  },
  PROFILE_RESTRICTED: {
    en: 'The network has restricted the account: it cannot write to people who have never written to it.',
    id: 'Jaringan membatasi akun: tidak dapat menulis kepada orang yang belum pernah menulis kepadanya.',
    ar: 'قيّدت الشبكة الحساب: لا يمكنه الكتابة إلى من لم يكتب إليه قط.',
  },
  DAILY_LIMIT_REACHED: {
    en: 'The daily limit of the profile is reached.',
    id: 'Batas harian profil tercapai.',
    ar: 'بلغ الملف حدّه اليومي.',
  },
  EXPIRED: {
    en: 'It could not go out in time.',
    id: 'Tidak bisa keluar tepat waktu.',
    ar: 'لم تخرج في الوقت المناسب.',
  },
  MEDIA_UNAVAILABLE: {
    en: 'The file could not be fetched.',
    id: 'Berkas tidak dapat diambil.',
    ar: 'تعذّر جلب الملف.',
  },
  ENGINE_REFUSED: {
    en: 'The network refused it.',
    id: 'Jaringan menolaknya.',
    ar: 'رفضتها الشبكة.',
  },
});

export const contentTexts = catalogue({
  image: { en: 'Photo', id: 'Foto', ar: 'صورة' },
  video: { en: 'Video', id: 'Video', ar: 'فيديو' },
  audio: { en: 'Audio', id: 'Audio', ar: 'صوت' },
  voice: { en: 'Voice note', id: 'Pesan suara', ar: 'رسالة صوتية' },
  document: { en: 'Document', id: 'Dokumen', ar: 'مستند' },
  sticker: { en: 'Sticker', id: 'Stiker', ar: 'ملصق' },
  location: { en: 'Location', id: 'Lokasi', ar: 'موقع' },
  contact: { en: 'Contact', id: 'Kontak', ar: 'جهة اتصال' },
  poll: { en: 'Poll', id: 'Jajak pendapat', ar: 'استطلاع' },
  unsupported: {
    en: 'A message of a kind that is not shown here ({kind})',
    id: 'Pesan jenis yang tidak ditampilkan di sini ({kind})',
    ar: 'رسالة من نوع لا يُعرض هنا ({kind})',
  },
  deleted: { en: 'This message was taken back', id: 'Pesan ini ditarik', ar: 'سُحبت هذه الرسالة' },
  unavailable: { en: 'The file could not be fetched.', id: 'Berkas tidak dapat diambil.', ar: 'تعذّر جلب الملف.' },
  openMap: { en: 'Open the map', id: 'Buka peta', ar: 'فتح الخريطة' },
  openPicture: { en: 'Show {name} larger', id: 'Perbesar {name}', ar: 'تكبير {name}' },
  download: { en: 'Download {name}', id: 'Unduh {name}', ar: 'تنزيل {name}' },
  votes: {
    en: { one: '{count} vote', other: '{count} votes' },
    id: { other: '{count} suara' },
    ar: { zero: 'لا أصوات', one: 'صوت', two: 'صوتان', few: '{count} أصوات', many: '{count} صوتاً', other: '{count} صوت' },
  },
  viewOnce: { en: 'To be seen once', id: 'Sekali lihat', ar: 'تُعرض مرة واحدة' },
  more: { en: 'Show all', id: 'Tampilkan semua', ar: 'عرض الكل' },
});
