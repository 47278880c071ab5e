import type { Copy } from "#renderer/index.ts";

/** An advertisement in each script that the font library has, as a native speaker would word it. */
export const COPY_IN_SCRIPTS: Readonly<Record<string, Copy>> = {
  arabic: {
    headline: "تخفيضات الصيف الكبرى 50%",
    subheadline: "خصم يصل إلى ٥٠٪ على جميع المنتجات – Nike، حتى نهاية الأسبوع!",
    cta: "تسوّق الآن",
    disclaimer: "العرض ساري حتى ٣١ أغسطس. تطبّق الشروط والأحكام.",
  },
  persian: { headline: "حراج بزرگ تابستان", subheadline: "گل‌های تازه، قیمت‌های ویژه", cta: "خرید کنید" },
  hebrew: {
    headline: "מבצע קיץ ענק בחנויות",
    subheadline: "עד 50% הנחה על כל הקולקציה החדשה של Nike, רק השבוע",
    cta: "לקנייה עכשיו",
    disclaimer: "המבצע בתוקף עד 31.8, או עד גמר המלאי. ט.ל.ח",
  },
  devanagari: {
    headline: "गर्मियों की सबसे बड़ी सेल",
    subheadline: "सभी उत्पादों पर 50% तक की छूट – केवल इस सप्ताह, Nike पर भी",
    cta: "अभी खरीदें",
    disclaimer: "नियम व शर्तें लागू। ऑफ़र 31 अगस्त तक मान्य है।",
  },
  thai: {
    headline: "ลดราคาครั้งใหญ่ต้อนรับซัมเมอร์",
    subheadline: "สินค้าทุกชิ้นลดสูงสุด 50% เฉพาะสัปดาห์นี้ที่ร้านเราเท่านั้น",
    cta: "ช้อปเลย",
    disclaimer: "เงื่อนไขเป็นไปตามที่บริษัทฯ กำหนด",
  },
  japanese: {
    headline: "夏の大セール、いよいよ開催。",
    subheadline: "人気のアイテムが最大50%オフ。Nikeの新作スニーカーも今週末だけの特別価格でお届けします。",
    cta: "今すぐ購入",
    disclaimer: "※一部対象外の商品がございます。価格はすべて税込です。",
  },
  korean: {
    headline: "여름 빅세일이 시작됩니다",
    subheadline: "인기 상품을 최대 50% 할인, Nike 신상품도 이번 주말까지만 특별한 가격으로",
    cta: "지금 구매하기",
    disclaimer: "일부 상품은 제외됩니다. 행사 기간은 재고 소진 시까지입니다.",
  },
  simplifiedChinese: {
    headline: "夏季大促，全场五折起",
    subheadline: "热门单品限时特惠，“会员”专享——Nike 新品同步上市，仅限本周末……",
    cta: "立即购买",
    disclaimer: "活动最终解释权归本公司所有，数量有限，售完即止。",
  },
  traditionalChinese: {
    headline: "夏季大優惠，全館五折起",
    subheadline: "熱門商品限時特賣，會員專享「免運費」，Nike 新品同步上市，只到本週末",
    cta: "立即購買",
    disclaimer: "優惠內容以現場公告為準，數量有限，售完為止。",
  },
  cyrillic: {
    headline: "Большая летняя распродажа",
    subheadline: "Скидки до 50 % на всё – только на этой неделе",
    cta: "Купить",
    disclaimer: "Київ, Їжак, Ґанок; Ђурђевдан; Қазақстан.",
  },
  greek: {
    headline: "Μεγάλες καλοκαιρινές εκπτώσεις",
    subheadline: "Έως 50 % σε όλα τα προϊόντα, ΐ ΰ ώ",
    cta: "Αγορά τώρα",
    disclaimer: "Ισχύουν όροι και προϋποθέσεις.",
  },
  emoji: {
    headline: "Party time 🎉 👩‍🚀👍🏽 🇩🇪 ❤️ 1️⃣",
    subheadline: "👨‍👩‍👧‍👦 🏳️‍🌈 ☀️ ✈️ 🤷🏾‍♀️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 all drawn ™ ©",
    cta: "Go 🚀",
    disclaimer: "🧑🏿‍🤝‍🧑🏻 👁️‍🗨️ 🫱🏼‍🫲🏾 ⏱️ #️⃣ 🇺🇳🇪🇺 🐈‍⬛",
  },
  mixed: {
    headline: "Tokyo 東京 서울 Дубай دبي",
    subheadline: "Café 𠮷野家 กรุงเทพ नई दिल्ली ירושלים",
    cta: "GO → دبي 🚀",
    disclaimer: "A á 漢字かなカナ 한글 ไทย हिन्दी עברית عربي Ωμέγα Яблоко 🎈",
  },
};
