//! How far away is that? Amounts of time: half an hour, two weeks, 一个半小时.

use super::calendar::Day;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// A number of units, in hundredths so that "1.5" and halves are whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quantity(i64);

impl Quantity {
    pub(super) const HALF: Quantity = Quantity(50);

    pub(super) fn whole(count: i64) -> Self {
        Quantity(count * 100)
    }

    /// A decimal fraction: the number behind the point, and how many digits it has.
    pub(super) fn with_fraction(self, digits: i64, count: usize) -> Option<Self> {
        match count {
            1 => Some(Quantity(self.0 + digits * 10)),
            2 => Some(Quantity(self.0 + digits)),
            _ => None,
        }
    }

    pub(super) fn and_half(self) -> Self {
        Quantity(self.0 + Quantity::HALF.0)
    }
}

/// A distance from the present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// Minutes and hours are counted from the very moment.
    Seconds(i64),
    /// Days and more lead to a day.
    Day(Day),
}

impl Length {
    pub(super) fn new(Quantity(hundredths): Quantity, unit: Unit) -> Self {
        let is_whole = hundredths % 100 == 0;
        match unit {
            Unit::Minute => Length::Seconds(hundredths * 60 / 100),
            Unit::Hour => Length::Seconds(hundredths * 3600 / 100),
            Unit::Day if is_whole => Length::Day(Day::in_days(hundredths / 100)),
            Unit::Day => Length::Seconds(hundredths * 86_400 / 100),
            Unit::Week => Length::Day(Day::in_days(hundredths * 7 / 100)),
            Unit::Month if is_whole => Length::Day(Day::in_months(hundredths / 100)),
            Unit::Month => Length::Day(Day::in_days(hundredths * 30 / 100)),
            Unit::Year => Length::Day(Day::in_months(hundredths * 12 / 100)),
        }
    }

    /// Both together, when both are counted from the moment: an hour and 30 minutes.
    pub(super) fn plus(self, other: Length) -> Option<Self> {
        match (self, other) {
            (Length::Seconds(first), Length::Seconds(second)) => {
                Some(Length::Seconds(first + second))
            }
            _ => None,
        }
    }

    /// The same distance into the past.
    pub(super) fn ago(self) -> Self {
        match self {
            Length::Seconds(seconds) => Length::Seconds(-seconds),
            Length::Day(Day::After { months, days }) => Length::Day(Day::After {
                months: -months,
                days: -days,
            }),
            Length::Day(day) => Length::Day(day),
        }
    }
}
