"""Questions without meaning, in several shapes; none of their words is in any code."""

NONSENSE = [
    "qzxvwkjp", "qzxv wkjp", "xkqj vwzpt blorf", "vrxnq", "qwxzjkv mnprtz", "bqzrvx_wkjpt", "QzxvWkjpXq", "kjqx.vwz", "zxqvjk()",
    '"vqxz wkjp zzq"', "冇冚唪唥", "жщъыэ фхцчш", "ξψζ χθφβ", "asdfghjklqwe zxcvbnmpo", "plokmijnuhb", "@@@###~~~", "xqzt+wvkp-jjq",
    "snarfle grobnick", "wibblefrotz", "florpish quandrel", "vorpalquux snizzle", "zorptangle wexmir",
]  # fmt: skip
