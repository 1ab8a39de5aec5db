//! Numbers: the functions of the C library under their C names.

use super::{Done, Entry};
use crate::stop::Stop;
use crate::value::{Value, describe};

pub(super) const TABLE: &[Entry] = &[
    ("floor", 0, |_, input, _| one(&input, f64::floor)),
    ("ceil", 0, |_, input, _| one(&input, f64::ceil)),
    ("round", 0, |_, input, _| one(&input, f64::round)),
    ("trunc", 0, |_, input, _| one(&input, f64::trunc)),
    ("rint", 0, |_, input, _| one(&input, f64::round_ties_even)),
    ("nearbyint", 0, |_, input, _| {
        one(&input, f64::round_ties_even)
    }),
    ("fabs", 0, |_, input, _| one(&input, f64::abs)),
    ("sqrt", 0, |_, input, _| one(&input, f64::sqrt)),
    ("cbrt", 0, |_, input, _| one(&input, f64::cbrt)),
    ("exp", 0, |_, input, _| one(&input, f64::exp)),
    ("exp2", 0, |_, input, _| one(&input, f64::exp2)),
    ("exp10", 0, |_, input, _| one(&input, |x| 10_f64.powf(x))),
    ("expm1", 0, |_, input, _| one(&input, f64::exp_m1)),
    ("log", 0, |_, input, _| one(&input, f64::ln)),
    ("log2", 0, |_, input, _| one(&input, f64::log2)),
    ("log10", 0, |_, input, _| one(&input, f64::log10)),
    ("log1p", 0, |_, input, _| one(&input, f64::ln_1p)),
    ("logb", 0, |_, input, _| one(&input, exponent)),
    ("significand", 0, |_, input, _| one(&input, significand)),
    ("sin", 0, |_, input, _| one(&input, f64::sin)),
    ("cos", 0, |_, input, _| one(&input, f64::cos)),
    ("tan", 0, |_, input, _| one(&input, f64::tan)),
    ("asin", 0, |_, input, _| one(&input, f64::asin)),
    ("acos", 0, |_, input, _| one(&input, f64::acos)),
    ("atan", 0, |_, input, _| one(&input, f64::atan)),
    ("sinh", 0, |_, input, _| one(&input, f64::sinh)),
    ("cosh", 0, |_, input, _| one(&input, f64::cosh)),
    ("tanh", 0, |_, input, _| one(&input, f64::tanh)),
    ("asinh", 0, |_, input, _| one(&input, libm::asinh)),
    ("acosh", 0, |_, input, _| one(&input, libm::acosh)),
    ("atanh", 0, |_, input, _| one(&input, libm::atanh)),
    ("gamma", 0, |_, input, _| one(&input, libm::lgamma)),
    ("lgamma", 0, |_, input, _| one(&input, libm::lgamma)),
    ("tgamma", 0, |_, input, _| one(&input, libm::tgamma)),
    ("erf", 0, |_, input, _| one(&input, libm::erf)),
    ("erfc", 0, |_, input, _| one(&input, libm::erfc)),
    ("j0", 0, |_, input, _| one(&input, libm::j0)),
    ("j1", 0, |_, input, _| one(&input, libm::j1)),
    ("y0", 0, |_, input, _| one(&input, libm::y0)),
    ("y1", 0, |_, input, _| one(&input, libm::y1)),
    ("pow", 2, |_, _, arguments| two(arguments, f64::powf)),
    ("atan2", 2, |_, _, arguments| two(arguments, f64::atan2)),
    ("fmod", 2, |_, _, arguments| two(arguments, |x, y| x % y)),
    ("fmin", 2, |_, _, arguments| two(arguments, f64::min)),
    ("fmax", 2, |_, _, arguments| two(arguments, f64::max)),
    ("fdim", 2, |_, _, arguments| two(arguments, libm::fdim)),
    ("hypot", 2, |_, _, arguments| two(arguments, f64::hypot)),
    ("copysign", 2, |_, _, arguments| {
        two(arguments, f64::copysign)
    }),
    ("nextafter", 2, |_, _, arguments| {
        two(arguments, libm::nextafter)
    }),
    ("nexttoward", 2, |_, _, arguments| {
        two(arguments, libm::nextafter)
    }),
    ("drem", 2, |_, _, arguments| two(arguments, libm::remainder)),
    ("remainder", 2, |_, _, arguments| {
        two(arguments, libm::remainder)
    }),
    ("ldexp", 2, |_, _, arguments| two(arguments, scaled)),
    ("scalb", 2, |_, _, arguments| two(arguments, scaled)),
    ("scalbln", 2, |_, _, arguments| two(arguments, scaled)),
    ("jn", 2, |_, _, arguments| {
        two(arguments, |n, x| libm::jn(n as i32, x))
    }),
    ("yn", 2, |_, _, arguments| {
        two(arguments, |n, x| libm::yn(n as i32, x))
    }),
    ("fma", 3, |_, _, arguments| {
        // The last argument is asked first, as it is evaluated first.
        let (z, y, x) = (
            number(&arguments[2])?,
            number(&arguments[1])?,
            number(&arguments[0])?,
        );
        Ok(Value::number(x.mul_add(y, z)))
    }),
    ("frexp", 0, |_, input, _| {
        let x = number(&input)?;
        let (fraction, power) = if x.is_finite() {
            libm::frexp(x)
        } else {
            (x, 0)
        };
        pair(fraction, f64::from(power))
    }),
    ("modf", 0, |_, input, _| {
        let x = number(&input)?;
        let (fraction, whole) = if x.is_infinite() {
            (0_f64.copysign(x), x)
        } else {
            libm::modf(x)
        };
        pair(fraction, whole)
    }),
    ("lgamma_r", 0, |_, input, _| {
        let (value, sign) = libm::lgamma_r(number(&input)?);
        pair(value, f64::from(sign))
    }),
    ("infinite", 0, |_, _, _| Ok(Value::number(f64::INFINITY))),
    ("nan", 0, |_, _, _| Ok(Value::number(f64::NAN))),
    ("isinfinite", 0, |_, input, _| {
        Ok(Value::Bool(is(&input, f64::is_infinite)))
    }),
    ("isnan", 0, |_, input, _| {
        Ok(Value::Bool(is(&input, f64::is_nan)))
    }),
    ("isnormal", 0, |_, input, _| {
        Ok(Value::Bool(is(&input, f64::is_normal)))
    }),
];

fn number(value: &Value) -> Result<f64, Stop> {
    match value {
        Value::Number(number) => Ok(number.value()),
        other => Err(Stop::error(format!("{} number required", describe(other)?))),
    }
}

fn one(input: &Value, function: fn(f64) -> f64) -> Done {
    Ok(Value::number(function(number(input)?)))
}

fn two(arguments: &[Value], function: fn(f64, f64) -> f64) -> Done {
    let (left, right) = (number(&arguments[0])?, number(&arguments[1])?);
    Ok(Value::number(function(left, right)))
}

fn pair(first: f64, second: f64) -> Done {
    Ok(Value::array(vec![
        Value::number(first),
        Value::number(second),
    ])?)
}

fn is(value: &Value, test: fn(f64) -> bool) -> bool {
    matches!(value, Value::Number(number) if test(number.value()))
}

/// The power of two of the leading bit.
fn exponent(x: f64) -> f64 {
    match x {
        _ if x.is_nan() => x,
        _ if x.is_infinite() => f64::INFINITY,
        0.0 => f64::NEG_INFINITY,
        _ => f64::from(libm::frexp(x).1 - 1),
    }
}

/// The number scaled into one to two.
fn significand(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        x
    } else {
        libm::frexp(x).0 * 2.0
    }
}

fn scaled(x: f64, power: f64) -> f64 {
    libm::scalbn(x, power as i32)
}
