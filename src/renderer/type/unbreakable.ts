/** Marks of measures, currencies and times that belong to the figure beside them. */
const UNITS =
  "(?:[kcmµn]?m[²³]?|[kmµ]?g|[mcdk]?l|L|[kMGT]?W(?:h|p)?|[kKMGT]i?B|[kMG]?Hz|m?Ah|V|A|°[CF]|K|" +
  "h|hr?s?|min|sec|s|Std|Uhr|am|pm|AM|PM|px|dpi|MP|mpg|mph|kcal|kJ|" +
  "EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|TRY|JPY|CNY|KRW|INR|AUD|CAD|BRL|MXN|ZAR|AED|SAR|" +
  "kr|zł|Kč|Ft|lei|лв|руб|грн|тг|TL|Rs|Mio|Mrd|mln|mld|млн|млрд|тыс|Stk|Stück|pcs|x)";
/** Enough to hold every mark above. */
const WINDOW = 12;

const DIGIT_BEFORE = /\p{N}\s?$/u;
const AFTER_DIGIT = new RegExp(
  `^\\s?(?:[%‰°€£¥₩₹₽₴₺₪฿$¢"″′]|\\p{Sc}|${UNITS}(?![\\p{L}\\p{N}])|[×x*·÷=]\\s?\\p{N})`,
  "u",
);
/** The next three figures of a number whose thousands are set apart. */
const THOUSANDS = /^\p{N}{3}(?!\p{N})/u;
/** Those before them; four figures and more are a year or a number of its own. */
const SHORT_BEFORE = /(?:^|\P{N})\p{N}{1,3}\s$/u;
const BEFORE_DIGIT =
  /(?:\p{Sc}|(?:^|\s)[№#§+−-]|(?:^|[^\p{L}\p{N}])(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|Rs\.?|kr\.?|Fr\.?|Nr\.?|No\.?|n°|ca\.?|bis|ab))\s?$/u;
const TIMES_BEFORE = /\p{N}\s?[×x*÷·=]\s?$/u;
const HAN_NUMBER_BEFORE = /[一二三四五六七八九十百千两兩半数]$/u;
const HAN_MEASURE = /^[折件天日月年周週元円人個个款枚双雙条條杯瓶份次倍岁歲歳位万萬千百割階]/u;
const JOINED_BEFORE = /\p{N}[-–—/:.,]$/u;

/**
 * Whether a line may not end at a place: inside a number, or between a figure and its unit, currency or sign ("€ 1 299,00",
 * "−40 %", "5 km", "24/7", "3 × 2", "五折"). Looks at a few characters on both sides.
 */
export function isUnbreakable(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - WINDOW), at);
  const after = text.slice(at, at + WINDOW);
  if (/^\p{N}/u.test(after)) {
    if (JOINED_BEFORE.test(before) || TIMES_BEFORE.test(before)) return true;
    if (SHORT_BEFORE.test(before) && THOUSANDS.test(after)) return true;
    return BEFORE_DIGIT.test(before);
  }
  if (HAN_NUMBER_BEFORE.test(before) && HAN_MEASURE.test(after)) return true;
  return DIGIT_BEFORE.test(before) && AFTER_DIGIT.test(after);
}
