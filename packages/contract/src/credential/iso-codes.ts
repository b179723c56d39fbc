/** ISO codes that the schema library accepts or offers: countries, currencies and US regions. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** ISO 3166-1 alpha-2: all 249 codes, in the order of the select list. */
export const countryCodes = words(`
  US CA AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV
  BW BY BZ CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ
  FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ
  IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH
  MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL
  PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD
  TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
`);

/** Options of a country select list: 248 codes, all except the Åland Islands. */
export const countryOptions = countryCodes.filter((code) => code !== "AX");

/** ISO 4217 without metals, bond units and test codes, as of 2023: 169 codes, in the order of the select list. */
export const currencyCodes = words(`
  USD CAD AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN
  BZD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
  GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT
  LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD
  OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC
  SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XDR XOF
  XPF XSU XUA YER ZAR ZMW ZWL
`);

/** ISO 3166-2:US codes in a select list: the states, the District of Columbia and the US Virgin Islands. */
export const usRegionOptions = words(`
  AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH
  OK OR PA RI SC SD TN TX UT VT VI VA WA WV WI WY
`);

/** ISO 3166-2:US: all 57 codes. */
export const usRegionCodes = [...usRegionOptions, "AS", "GU", "MP", "PR", "UM"];

/** States of US military addresses: Armed Forces Americas, Europe and Pacific. ISO 3166-2 does not know them. */
export const militaryRegionCodes = ["AA", "AE", "AP"];
