import { catalogue } from '../language/catalogue.ts';

/** Words of `ConnectionStatus`. */
export const statusWords = catalogue({
  disconnected: { en: 'Disconnected', id: 'Terputus', ar: 'غير متصل' },
  connecting: { en: 'Connecting', id: 'Menghubungkan', ar: 'جارٍ الاتصال' },
  awaiting_scan: { en: 'Waiting for scan', id: 'Menunggu pemindaian', ar: 'بانتظار المسح' },
  connected: { en: 'Connected', id: 'Terhubung', ar: 'متصل' },
  reconnecting: { en: 'Reconnecting', id: 'Menyambung ulang', ar: 'إعادة الاتصال' },
  logged_out: { en: 'Logged out', id: 'Keluar', ar: 'تم تسجيل الخروج' },
  failed: { en: 'Failed', id: 'Gagal', ar: 'فشل' },
});

/** Why a connection stands where it does, and what to do about it, by `StatusReason`. */
export const reasonWords = catalogue({
  RESTARTED: {
    en: 'The gateway was restarted. The connection comes back by itself.',
    id: 'Gateway dimulai ulang. Koneksi kembali dengan sendirinya.',
    ar: 'أُعيد تشغيل البوابة. يعود الاتصال من تلقاء نفسه.',
  },
  CONNECTION_LOST: {
    en: 'The connection to the network was lost. It is tried again by itself; if it stays so, look at the network of the server.',
    id: 'Koneksi ke jaringan hilang. Dicoba lagi dengan sendirinya; jika tetap demikian, periksa jaringan server.',
    ar: 'انقطع الاتصال بالشبكة. تُعاد المحاولة تلقائياً؛ إن بقي كذلك فافحص شبكة الخادم.',
  },
  CONNECTION_REPLACED: {
    en: 'Another client logged in as this device. The connection is taken back by itself; end the other client.',
    id: 'Klien lain masuk sebagai perangkat ini. Koneksi diambil kembali dengan sendirinya; akhiri klien lain itu.',
    ar: 'سجّل عميل آخر الدخول بوصفه هذا الجهاز. يُستعاد الاتصال تلقائياً؛ أوقف العميل الآخر.',
  },
  SESSION_DATA_UNAVAILABLE: {
    en: 'The keys of the session cannot be read just now. It is tried again by itself.',
    id: 'Kunci sesi sedang tidak dapat dibaca. Dicoba lagi dengan sendirinya.',
    ar: 'لا يمكن قراءة مفاتيح الجلسة الآن. تُعاد المحاولة تلقائياً.',
  },
  NOT_SCANNED: {
    en: 'Nobody scanned the code in time. Connect again and scan it.',
    id: 'Tidak ada yang memindai kode tepat waktu. Hubungkan lagi lalu pindai.',
    ar: 'لم يمسح أحد الرمز في الوقت المناسب. اتصل مجدداً وامسحه.',
  },
  NO_ROOM: {
    en: 'A linked profile needed the place. Connect again.',
    id: 'Profil lain yang tertaut membutuhkan tempat. Hubungkan lagi.',
    ar: 'احتاج ملف مرتبط إلى المكان. اتصل مجدداً.',
  },
  LOGGED_OUT: {
    en: 'The device was unlinked on the phone. Connect and scan the code anew.',
    id: 'Tautan perangkat dilepas di ponsel. Hubungkan dan pindai kode lagi.',
    ar: 'أُلغي ربط الجهاز من الهاتف. اتصل وامسح الرمز من جديد.',
  },
  PASSKEY_REQUIRED: {
    en: 'The phone demands a passkey before it links. Turn that off for linked devices on the phone, or use another number.',
    id: 'Ponsel meminta passkey sebelum menautkan. Matikan untuk perangkat tertaut, atau pakai nomor lain.',
    ar: 'يطلب الهاتف مفتاح مرور قبل الربط. عطّل ذلك للأجهزة المرتبطة، أو استخدم رقماً آخر.',
  },
  CLIENT_VERSION_REFUSED: {
    en: 'The network refuses the version of the client. Whoever runs this installation must raise SOCKET_ENGINE_CLIENT_VERSION.',
    id: 'Jaringan menolak versi klien. Pengelola instalasi ini harus menaikkan SOCKET_ENGINE_CLIENT_VERSION.',
    ar: 'ترفض الشبكة إصدار العميل. على من يدير هذا التثبيت رفع SOCKET_ENGINE_CLIENT_VERSION.',
  },
  ACCOUNT_REFUSED: {
    en: 'The network refuses this account. Look at the phone for what it says.',
    id: 'Jaringan menolak akun ini. Lihat pesan di ponsel.',
    ar: 'ترفض الشبكة هذا الحساب. انظر ما يقوله الهاتف.',
  },
});

export const texts = catalogue({
  restricted: { en: 'Restricted', id: 'Dibatasi', ar: 'مقيّد' },
  profile: { en: 'Profile', id: 'Profil', ar: 'الملف الشخصي' },
  all: { en: 'All profiles', id: 'Semua profil', ar: 'كل الملفات' },
  none: { en: 'No profiles yet', id: 'Belum ada profil', ar: 'لا ملفات شخصية بعد' },
  noneText: {
    en: 'What is here belongs to a profile. Create one first.',
    id: 'Yang ada di sini milik sebuah profil. Buat dahulu.',
    ar: 'ما هنا يخص ملفاً شخصياً. أنشئ واحداً أولاً.',
  },
  toProfiles: { en: 'To the profiles', id: 'Ke profil', ar: 'إلى الملفات الشخصية' },
});
